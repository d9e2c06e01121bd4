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
  static final String THREADS = "threads";
  private static final int THREADS_MIN = 8; // Jetty uses some of them itself
  private static final int THREADS_MAX = 10_000;
  private static final int THREADS_DEFAULT = 200; // Jetty's default

  private final KeyRing<Keys> ring = new KeyRing<>(Keys::of);

  @Override
  public Info info() {
    return HttpJson.server(
        "http-json-java",
        "org.eclipse.jetty:jetty-server " + Jetty.VERSION,
        List.of(
            new Info.Option(
                THREADS,
                "Maximum number of threads, 8 to 10000. Each call takes one while it is answered; default 200.",
                false,
                true)));
  }

  @Override
  public Server serve(ServeConfig config) throws Exception {
    OptionValues options = new OptionValues(config.options());
    int threads = options.number(THREADS, THREADS_MIN, THREADS_MAX, THREADS_DEFAULT);
    return JettyServer.start(config, ring.of(config.tls()), threads);
  }
}
