package rpcbench.stack;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread that makes blocking calls, one after another. A call that is begun by the end of the one before it, as in a
 * closed load, stays on the thread: it costs no hand-over. Any other is handed to an idle thread, or to a new one. So
 * there are as many threads as there were calls at the same time, and none for a slot that has nothing to do.
 */
final class CallThread extends Thread {
  private static final Executor IDLE =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), CallThread::new);

  private boolean ending; // between calls, in what hears of the end of one
  private BlockingCaller next; // begun there

  private CallThread(Runnable work) {
    super(work, "rpcbench-call");
    setDaemon(true);
  }

  /** Has the call of a Caller made, and returns at once. */
  static void begin(BlockingCaller caller) {
    if (Thread.currentThread() instanceof CallThread here && here.ending && here.next == null) {
      here.next = caller;
      return;
    }
    IDLE.execute(() -> ((CallThread) Thread.currentThread()).make(caller));
  }

  private void make(BlockingCaller first) {
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
  }
}
