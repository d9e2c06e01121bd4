package rpcbench.httpjson;

import java.net.MalformedURLException;
import java.security.GeneralSecurityException;
import java.util.List;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;

/** "http-json-urlconnection", a client: what the JDK has since 1.1. */
final class UrlConnectionStack implements Stack {
  static final String FIXED_LENGTH = "fixed_length";

  static {
    // Read once by the JDK, before the first connection. A lost call is to be an error, not to be sent again; and an
    // idle connection must outlast a pause between two phases (by default it is 5 s).
    System.setProperty("sun.net.http.retryPost", "false");
    if (System.getProperty("http.keepAlive.time.server") == null) {
      System.setProperty("http.keepAlive.time.server", "3600");
    }
  }

  private final KeyRing ring = new KeyRing();

  @Override
  public Info info() {
    return HttpJson.client(
        "http-json-urlconnection",
        "java.net.HttpURLConnection of JDK " + System.getProperty("java.version"),
        List.of(
            new Info.Option(
                FIXED_LENGTH,
                "true sends bodies by setFixedLengthStreamingMode, for which the JDK probes an idle connection for 1 ms"
                    + " before every call; false, the default, does without.",
                true,
                false)));
  }

  @Override
  public Server serve(ServeConfig config) {
    throw new UnsupportedOperationException("http-json-urlconnection is a client");
  }

  /** Opens nothing: the first call of each slot does. */
  @Override
  public Conn dial(DialConfig config) throws CallException {
    Checks.dial(info(), config);
    boolean fixedLength = Checks.flag(config.options(), FIXED_LENGTH);
    try {
      return new UrlConnectionConn(info(), config, ring.of(config.tls()), fixedLength);
    } catch (GeneralSecurityException e) {
      throw KeyRing.unusable(e);
    } catch (MalformedURLException e) {
      throw Checks.badAddress(config, e);
    }
  }
}
