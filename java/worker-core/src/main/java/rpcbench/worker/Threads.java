package rpcbench.worker;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Makes threads that do not keep the process alive. */
final class Threads {
  private Threads() {}

  static Thread start(String name, Runnable work) {
    Thread thread = make(name, work);
    thread.start();
    return thread;
  }

  /** Returns a pool of a number of threads. */
  static ExecutorService pool(String name, int threads) {
    return Executors.newFixedThreadPool(threads, work -> make(name, work));
  }

  private static Thread make(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
