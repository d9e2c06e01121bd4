package rpcbench.httpjson;

import java.util.List;
import rpcbench.credential.KeyRing;
import rpcbench.credential.Keys;
import rpcbench.http.HttpJson;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;
import rpcbench.stack.Stack;

/** http-json-urlconnection, a client: HttpURLConnection, which the JDK has had since 1.1. */
final class UrlConnectionStack implements Stack {
  static final Info.Option FIXED_LENGTH = Info.Option.flag(
      "fixed_length",
      "true sends bodies by setFixedLengthStreamingMode, for which the JDK probes an idle connection for 1 ms before every call.",
      true, false);

  static {
    // The JDK reads these once, before the first connection. A lost call must be an error and not be retried, and an idle
    // connection must outlast the pause between two phases (the default is 5 s).
    System.setProperty("sun.net.http.retryPost", "false");
    if (System.getProperty("http.keepAlive.time.server") == null) {
      System.setProperty("http.keepAlive.time.server", "3600");
    }
  }

  private final KeyRing<Keys> ring = new KeyRing<>(Keys::of);

  @Override
  public Info info() {
    return HttpJson.client(
        "http-json-urlconnection",
        "java.net.HttpURLConnection of JDK " + System.getProperty("java.version"),
        List.of(FIXED_LENGTH));
  }

  /** Opens nothing: sockets are opened by each slot's first call. */
  @Override
  public Conn dial(DialConfig config) throws CallException {
    boolean fixedLength = new OptionValues(config.options()).flag(FIXED_LENGTH);
    return new UrlConnectionConn(config, ring.of(config.tls()), fixedLength);
  }
}
