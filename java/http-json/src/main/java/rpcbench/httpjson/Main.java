package rpcbench.httpjson;

import java.util.List;
import rpcbench.worker.Worker;

/** The worker of this module. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(List.of(new OkHttpStack(), new UrlConnectionStack(), new JettyStack()), 8_000_000_000L);
  }
}
