package rpcbench.worker;

import java.util.Set;
import rpcbench.stack.Kind;

/** What follows from a call's kind. */
final class Kinds {
  private static final Set<String> MANY = Set.of(Kind.STREAM, Kind.BURST, Kind.UPLOAD, Kind.DOWNLOAD);
  private static final Set<String> BESIDE = Set.of(Kind.UNARY, Kind.STREAM, Kind.UPLOAD, Kind.DOWNLOAD);

  private Kinds() {}

  /** Calls that open connections themselves. */
  static boolean opens(String kind) {
    return kind.equals(Kind.CONNECT) || kind.equals(Kind.FIRST_CALL);
  }

  /** Calls that work on a message alone: no server, no connection, no payload. */
  static boolean codes(String kind) {
    return kind.equals(Kind.ENCODE) || kind.equals(Kind.DECODE);
  }

  /** Calls of a number of messages. */
  static boolean hasMessages(String kind) {
    return MANY.contains(kind);
  }

  /** Calls that can be a background. */
  static boolean canBeBackground(String kind) {
    return BESIDE.contains(kind);
  }
}
