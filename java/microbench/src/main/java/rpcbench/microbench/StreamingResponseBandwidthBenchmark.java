package rpcbench.microbench;

import io.grpc.Channel;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The bandwidth of streams of large responses, by their number and the flow-control window. */
public class StreamingResponseBandwidthBenchmark extends LoopBenchmark {
  private static final double MEGA = 1e6;

  /** The number of open streams on each channel. */
  @Param({"1", "10"})
  public int streams;

  @Param("65536")
  public int responseBytes;

  /** The window of each stream and of the connection, on both sides. */
  @Param({"65535", "1048575"})
  public int windowBytes;

  @Override
  void begin(Channel channel, Tally tally) {
    for (int i = 0; i < streams; i++) {
      new RepeatLoop(tally).begin(channel, new byte[responseBytes]);
    }
  }

  @Override
  int windowBytes() {
    return windowBytes;
  }

  @Benchmark
  public long stream(Counters counters) throws InterruptedException {
    long messages = slice();
    counters.megabitsPerSecond += messages * responseBytes * Byte.SIZE / MEGA;
    return messages;
  }

  /** JMH divides it by the elapsed time. A megabit is 10^6 bits of messages, without frames and headers. */
  @AuxCounters
  @State(Scope.Thread)
  public static class Counters {
    public double megabitsPerSecond;
  }
}
