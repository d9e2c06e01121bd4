package rpcbench.stack;

/** A call that failed. It has no stack trace, because failures are data and are made in numbers. */
public final class CallException extends Exception {
  private static final int MESSAGE_CHARS_MAX = 4096;

  private final Code code;

  public CallException(Code code, String message) {
    this(code, message, null);
  }

  /** A message that is long, as a server may make one, is kept in part, and its cause is not. */
  public CallException(Code code, String message, Throwable cause) {
    super(cut(message), isLong(message) ? null : cause, false, false);
    this.code = code;
  }

  private static boolean isLong(String message) {
    return message != null && message.length() > MESSAGE_CHARS_MAX;
  }

  private static String cut(String message) {
    if (!isLong(message)) {
      return message;
    }
    int end = MESSAGE_CHARS_MAX;
    if (Character.isHighSurrogate(message.charAt(end - 1))) {
      end--;
    }
    return message.substring(0, end) + "… (cut; " + message.length() + " characters in all)";
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
