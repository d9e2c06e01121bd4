package rpcbench.httpjson;

import java.util.List;
import org.eclipse.jetty.util.Jetty;
import rpcbench.credential.KeyRing;
import rpcbench.credential.Keys;
import rpcbench.http.HttpJson;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;

/**
 * http-json-java, a server: Jetty 12, a complete HTTP server that programs embed, under Apache 2.0 (or EPL 2.0), released about
 * monthly. Netty has only the parts of a server, so with it we would measure code of our own.
 */
final class JettyStack implements Stack {
  // Jetty uses some of the threads itself. The default is Jetty's.
  static final Info.Option THREADS = Info.Option.number(
      "threads", "Maximum number of threads. Each call takes one while it is answered.", false, true, 8, 10_000, "200");

  private final KeyRing<Keys> ring = new KeyRing<>(Keys::of);

  @Override
  public Info info() {
    return HttpJson.server(
        "http-json-java",
        "org.eclipse.jetty:jetty-server " + Jetty.VERSION,
        List.of(THREADS));
  }

  @Override
  public Server serve(ServeConfig config) throws Exception {
    int threads = new OptionValues(config.options()).number(THREADS, 0);
    return JettyServer.start(config, ring.of(config.tls()), threads);
  }
}
