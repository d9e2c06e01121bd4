package rpcbench.httpjson;

import java.security.GeneralSecurityException;
import java.util.List;
import okhttp3.OkHttp;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;

/**
 * "http-json-okhttp", a client. Calls are made by {@code execute}, on a thread for each that runs, and not by {@code
 * enqueue}, which hands every call to another thread, also where it follows another in its slot.
 */
final class OkHttpStack implements Stack {
  private final KeyRing ring = new KeyRing();

  @Override
  public Info info() {
    return HttpJson.client("http-json-okhttp", "com.squareup.okhttp3:okhttp " + OkHttp.VERSION, List.of());
  }

  @Override
  public Server serve(ServeConfig config) {
    throw new UnsupportedOperationException("http-json-okhttp is a client");
  }

  /** Opens nothing: the first call of each slot does. */
  @Override
  public Conn dial(DialConfig config) throws CallException {
    Checks.dial(info(), config);
    try {
      return new OkHttpConn(info(), config, ring.of(config.tls()));
    } catch (GeneralSecurityException e) {
      throw KeyRing.unusable(e);
    } catch (IllegalArgumentException e) { // of HttpUrl
      throw Checks.badAddress(config, e);
    }
  }
}
