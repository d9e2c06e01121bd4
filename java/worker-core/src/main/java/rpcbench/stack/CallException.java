package rpcbench.stack;

/** A failed call. It has no stack trace, because failures are data and can be numerous. */
public final class CallException extends Exception {
  private static final int MESSAGE_CHARS_MAX = 4096;

  private final Code code;

  public CallException(Code code, String message) {
    this(code, message, null);
  }

  /** Long messages, such as a server may send, are cut, and lose their cause. */
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

  /** Returns the exception for an unsupported request; the message is one sentence. */
  public static CallException invalid(String message) {
    return new CallException(Code.INVALID_ARGUMENT, message);
  }

  /** Returns the message of an exception, or its class if it has none. */
  public static String reason(Throwable e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
