package rpcbench.microbench;

import io.grpc.Context;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The context of a call: each added value creates another, and every callback of a call runs in its own. */
public class ContextBenchmark extends CostBenchmark {
  private static final Context.Key<Integer> KEY = Context.key("first");

  /** The number of values added after the one that is read, or before the one that is written. */
  @Param({"0", "100"})
  public int others;

  private Context context;

  @Setup(Level.Trial)
  public void fill() {
    context = Context.ROOT.withValue(KEY, -1);
    for (int i = 0; i < others; i++) {
      context = context.withValue(Context.key("other " + i), i);
    }
  }

  @Benchmark
  public int read() {
    return KEY.get(context);
  }

  @Benchmark
  public Context write() {
    return context.withValue(KEY, 1);
  }

  /** Attaches and detaches, with a read in between, as a callback does. */
  @Benchmark
  public int attachDetach() {
    Context before = context.attach();
    try {
      return KEY.get();
    } finally {
      context.detach(before);
    }
  }
}
