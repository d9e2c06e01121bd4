package rpcbench.httpjson;

import rpcbench.worker.Worker;

/** The worker of this module. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(new OkHttpStack(), new UrlConnectionStack(), new JettyStack());
  }
}
