package rpcbench.microbench;

import io.grpc.Attributes;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A connection's attributes: a chain of filters adds one each, and calls look them up. */
public class AttributesBenchmark extends CostBenchmark {
  private static final String VALUE = "a value";

  /** The number of attributes. */
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

  /** With one filter per attribute. */
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
