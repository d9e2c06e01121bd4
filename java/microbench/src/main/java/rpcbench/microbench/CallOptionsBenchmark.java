package rpcbench.microbench;

import io.grpc.CallOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A call's options are immutable: each option that an interceptor or a stub adds copies them. Reads search them. */
public class CallOptionsBenchmark extends CostBenchmark {
  private static final int SHUFFLED = 1; // the seed of grpc-java's benchmark

  @Param({"1", "8"})
  public int customOptionsCount;

  private List<CallOptions.Key<String>> keys;
  private List<CallOptions.Key<String>> inAnotherOrder;
  private CallOptions all;

  @Setup(Level.Trial)
  public void fill() {
    keys = new ArrayList<>();
    for (int i = 1; i <= customOptionsCount; i++) {
      keys.add(CallOptions.Key.create("option " + i));
    }
    inAnotherOrder = new ArrayList<>(keys);
    Collections.shuffle(inAnotherOrder, new Random(SHUFFLED));
    all = withOption();
  }

  /** Adds all options, one after another. */
  @Benchmark
  public CallOptions withOption() {
    return with(CallOptions.DEFAULT, keys, "a value");
  }

  /** Adds all options again, when each has a value already. */
  @Benchmark
  public CallOptions withOptionDuplicates() {
    return with(all, inAnotherOrder, "another value");
  }

  /** Reads the last option. */
  @Benchmark
  public String getOption() {
    return all.getOption(keys.get(keys.size() - 1));
  }

  private static CallOptions with(CallOptions options, List<CallOptions.Key<String>> keys, String value) {
    for (CallOptions.Key<String> key : keys) {
      options = options.withOption(key, value);
    }
    return options;
  }
}
