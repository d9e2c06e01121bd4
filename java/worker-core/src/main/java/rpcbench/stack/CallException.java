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
}
