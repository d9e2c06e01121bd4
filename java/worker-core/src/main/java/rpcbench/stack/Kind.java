package rpcbench.stack;

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
  public static final String ENCODE = "encode";
  public static final String DECODE = "decode";

  private Kind() {}

  /** Whether a kind's calls are made on open streams, which slots may share. */
  public static boolean sharesStreams(String kind) {
    return kind.equals(PING_PONG) || kind.equals(BURST);
  }
}
