package rpcbench.httpjson;

import java.util.List;
import okhttp3.OkHttp;
import rpcbench.credential.KeyRing;
import rpcbench.credential.Keys;
import rpcbench.http.HttpJson;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;

/**
 * http-json-okhttp, a client. Calls are made by {@code execute}, each on a thread that is running, and not by {@code enqueue},
 * which hands every call to another thread, even one that follows another in its slot.
 */
public final class OkHttpStack implements Stack {
  static final Info.Option RETRY = Info.Option.flag(
      "retry",
      "true makes a call again when the connection fails, or a 408 or 503 asks for it, as OkHttp does by default.",
      true, false);

  private final KeyRing<Keys> ring = new KeyRing<>(Keys::of);

  @Override
  public Info info() {
    return HttpJson.client("http-json-okhttp", "com.squareup.okhttp3:okhttp " + OkHttp.VERSION, List.of(RETRY));
  }

  /** Opens nothing: sockets are opened by each slot's first call. */
  @Override
  public Conn dial(DialConfig config) throws CallException {
    return new OkHttpConn(config, ring.of(config.tls()));
  }
}
