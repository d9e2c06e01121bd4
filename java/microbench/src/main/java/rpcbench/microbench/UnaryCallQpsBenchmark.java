package rpcbench.microbench;

import io.grpc.Channel;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Unary calls per second, with request and response of 10 B, by channels and calls in flight on each. */
public class UnaryCallQpsBenchmark extends LoopBenchmark {
  private static final int PAYLOAD_BYTES = 10;

  /** The number of calls in flight on each channel. */
  @Param({"10", "100"})
  public int streams;

  @Override
  void begin(Channel channel, Tally tally) {
    for (int i = 0; i < streams; i++) {
      new UnaryLoop(channel, new byte[PAYLOAD_BYTES], tally).begin();
    }
  }

  @Benchmark
  public long unary(Counters counters) throws InterruptedException {
    long calls = slice();
    counters.callsPerSecond += calls;
    return calls;
  }

  /** JMH divides it by the elapsed time. */
  @AuxCounters
  @State(Scope.Thread)
  public static class Counters {
    public long callsPerSecond;
  }
}
