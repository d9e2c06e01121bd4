package rpcbench.microbench;

import io.grpc.Attributes;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** What is known of a connection: a chain of filters adds to it, one attribute each, and calls look it up. */
public class AttributesBenchmark extends CostBenchmark {
  private static final String VALUE = "a value";

  /** Attributes in all. */
  @Param({"1", "10"})
  public int iterations;

  private List<Attributes.Key<String>> keys;
  private Attributes all;

  @Setup(Level.Trial)
  public void fill() {
    keys = new ArrayList<>();
    for (int i = 1; i <= iterations; i++) {
      keys.add(Attributes.Key.create("attribute " + i));
    }
    all = chain();
  }

  /** As many filters as there are attributes. */
  @Benchmark
  public Attributes chain() {
    Attributes attributes = Attributes.EMPTY;
    for (Attributes.Key<String> key : keys) {
      attributes = attributes.toBuilder().set(key, VALUE).build();
    }
    return attributes;
  }

  @Benchmark
  public String lookup() {
    return all.get(keys.get(0));
  }
}
