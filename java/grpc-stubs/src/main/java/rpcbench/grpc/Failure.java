package rpcbench.grpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.zip.ZipException;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

/** Converts gRPC statuses to failed calls. */
public final class Failure {
  private static final Code[] CODES = Code.values();

  /** The description of a call that the library cancels because it can't read a message (ClientCallImpl). */
  private static final String UNREADABLE = "Failed to read message.";

  private Failure() {}

  /** Returns the status with which a server refuses a request. */
  static Status statusOf(CallException e) {
    return Status.fromCodeValue(e.code().ordinal()).withDescription(e.getMessage());
  }

  static StatusException refusal(CallException e) {
    return statusOf(e).asException();
  }

  public static CallException of(Status status) {
    return new CallException(codeOf(status), textOf(status));
  }

  /** Returns the failure of a call that was to have one reply and has another number, as the library's stubs report it. */
  public static CallException ofReplies(long replies) {
    return new CallException(
        Code.INTERNAL,
        replies == 0 ? "the server sent status OK without a reply" : "the server sent more than one reply");
  }

  /**
   * Returns gRPC's code, with two exceptions. A library that finds a socket broken in the middle of a frame reports INTERNAL or
   * UNKNOWN, where UNAVAILABLE is meant. One that can't read a message cancels the call, or reports UNKNOWN if it can't even
   * begin to decompress it.
   */
  private static Code codeOf(Status status) {
    Throwable cause = status.getCause();
    if (status.getCode() == Status.Code.CANCELLED && UNREADABLE.equals(status.getDescription())) {
      return unreadable(cause);
    }
    if (status.getCode() == Status.Code.UNKNOWN && cause instanceof RuntimeException && cause.getCause() instanceof IOException) {
      return Code.INTERNAL;
    }
    boolean vague = status.getCode() == Status.Code.INTERNAL || status.getCode() == Status.Code.UNKNOWN;
    return vague && broken(cause) ? Code.UNAVAILABLE : CODES[status.getCode().value()];
  }

  /** A message that is too long when it is decompressed has its own status. */
  private static Code unreadable(Throwable cause) {
    return cause instanceof StatusRuntimeException because ? CODES[because.getStatus().getCode().value()] : Code.INTERNAL;
  }

  private static boolean broken(Throwable cause) {
    return cause instanceof IOException && !(cause instanceof ZipException);
  }

  /** Returns the first line of the library's message, which may include its pipeline, and the system's message. */
  private static String textOf(Status status) {
    String said = status.getDescription() == null ? "" : status.getDescription().split("[\r\n]", 2)[0];
    String cause = status.getCause() == null ? "" : textOf(status.getCause());
    return said.isEmpty() || cause.isEmpty() ? said + cause : said + ": " + cause;
  }

  private static String textOf(Throwable cause) {
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
