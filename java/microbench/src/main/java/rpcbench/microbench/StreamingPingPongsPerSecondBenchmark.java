package rpcbench.microbench;

import io.grpc.Channel;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Messages of 10 B and their echoes per second, two in flight on each stream, by channels and streams. */
public class StreamingPingPongsPerSecondBenchmark extends LoopBenchmark {
  private static final int PAYLOAD_BYTES = 10;
  private static final int IN_FLIGHT = 2;

  /** The number of open streams on each channel. */
  @Param({"1", "100"})
  public int streams;

  @Override
  void begin(Channel channel, Tally tally) {
    for (int i = 0; i < streams; i++) {
      new PingPongLoop(new byte[PAYLOAD_BYTES], IN_FLIGHT, tally).begin(channel);
    }
  }

  @Benchmark
  public long pingPong(Counters counters) throws InterruptedException {
    long pingPongs = slice();
    counters.pingPongsPerSecond += pingPongs;
    return pingPongs;
  }

  /** JMH divides it by the elapsed time. */
  @AuxCounters
  @State(Scope.Thread)
  public static class Counters {
    public long pingPongsPerSecond;
  }
}
