package rpcbench.stack;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes blocking calls on one thread, one after another. A call that begins at the end of the previous one, as in a closed load,
 * stays on the thread without a hand-over. Any other is passed to an executor. Thus there are as many threads as there were
 * concurrent calls, and none for an idle slot.
 */
final class CallLoop {
  /** Runs each task on an idle thread, or on a new one. */
  static final Executor THREADS =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), CallLoop::daemon);

  private static final ThreadLocal<CallLoop> OF_THREAD = new ThreadLocal<>();

  private final Executor threads; // that its thread is of
  private boolean ending; // between calls, in the callback for the end of one
  private BlockingCaller next; // begun there

  private CallLoop(Executor threads) {
    this.threads = threads;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "rpcbench-call");
    thread.setDaemon(true);
    return thread;
  }

  /** Starts the call of a Caller, and returns at once. */
  static void begin(BlockingCaller caller, Executor threads) {
    CallLoop here = OF_THREAD.get();
    if (here != null && here.ending && here.next == null && here.threads == threads) {
      here.next = caller;
      return;
    }
    threads.execute(() -> new CallLoop(threads).make(caller));
  }

  private void make(BlockingCaller first) {
    OF_THREAD.set(this);
    try {
      for (BlockingCaller caller = first; caller != null; caller = next) {
        next = null;
        caller.call();
        ending = true;
        try {
          caller.end();
        } finally {
          ending = false;
        }
      }
    } finally {
      OF_THREAD.remove();
    }
  }
}
