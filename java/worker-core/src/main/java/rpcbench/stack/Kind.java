package rpcbench.stack;

import java.util.Set;

/** Call kinds, by their names in worker.v1. */
public final class Kind {
  public static final String CONNECT = "connect";
  public static final String FIRST_CALL = "first_call";
  public static final String UNARY = "unary";
  public static final String STREAM = "stream";
  public static final String PING_PONG = "ping_pong";
  public static final String BURST = "burst";
  public static final String UPLOAD = "upload";
  public static final String DOWNLOAD = "download";
  public static final String BOTH_WAYS = "both_ways";
  public static final String ENCODE = "encode";
  public static final String DECODE = "decode";

  private static final Set<String> MANY = Set.of(STREAM, BURST, UPLOAD, DOWNLOAD, BOTH_WAYS);
  private static final Set<String> BESIDE = Set.of(UNARY, STREAM, UPLOAD, DOWNLOAD);

  private Kind() {}

  /** Whether a kind's calls open connections themselves. */
  public static boolean opens(String kind) {
    return kind.equals(CONNECT) || kind.equals(FIRST_CALL);
  }

  /** Whether a kind's calls work on a message alone: no server, no connection, no payload. */
  public static boolean codes(String kind) {
    return kind.equals(ENCODE) || kind.equals(DECODE);
  }

  /** Whether a kind's calls are of a number of messages. */
  public static boolean hasMessages(String kind) {
    return MANY.contains(kind);
  }

  /** Whether a kind's calls can be a background. */
  public static boolean canBeBackground(String kind) {
    return BESIDE.contains(kind);
  }

  /** Whether a kind's calls are made on open streams, which slots may share. */
  public static boolean sharesStreams(String kind) {
    return kind.equals(PING_PONG) || kind.equals(BURST);
  }
}
