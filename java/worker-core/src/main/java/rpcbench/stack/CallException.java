package rpcbench.stack;

/** A call that failed. It has no stack trace, because failures are data and are made in numbers. */
public final class CallException extends Exception {
  private final Code code;

  public CallException(Code code, String message) {
    this(code, message, null);
  }

  public CallException(Code code, String message, Throwable cause) {
    super(message, cause, false, false);
    this.code = code;
  }

  public Code code() {
    return code;
  }

  /** What a stack is asked for and can't do; the message is one sentence. */
  public static CallException invalid(String message) {
    return new CallException(Code.INVALID_ARGUMENT, message);
  }

  /** Says what went wrong, also where an exception has no message of its own. */
  public static String reason(Throwable e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
