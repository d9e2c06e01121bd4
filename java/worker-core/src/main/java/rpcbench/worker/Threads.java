package rpcbench.worker;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Makes threads that do not keep the process alive. */
final class Threads {
  private Threads() {}

  static Thread start(String name, Runnable work) {
    Thread thread = make(name, work);
    thread.start();
    return thread;
  }

  /** As many threads as there is work at a time; an idle one ends after a minute. */
  static Executor pool(String name) {
    return Executors.newCachedThreadPool(work -> make(name, work));
  }

  private static Thread make(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
