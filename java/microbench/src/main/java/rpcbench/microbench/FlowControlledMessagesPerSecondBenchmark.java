package rpcbench.microbench;

import io.grpc.Channel;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Messages of 10 B per second that servers push as fast as flow control allows, by channels and streams. */
public class FlowControlledMessagesPerSecondBenchmark extends LoopBenchmark {
  private static final int PAYLOAD_BYTES = 10;

  /** The number of open streams on each channel. */
  @Param({"1", "100"})
  public int streams;

  @Override
  void begin(Channel channel, Tally tally) {
    for (int i = 0; i < streams; i++) {
      new RepeatLoop(tally).begin(channel, new byte[PAYLOAD_BYTES]);
    }
  }

  @Benchmark
  public long stream(Counters counters) throws InterruptedException {
    long messages = slice();
    counters.messagesPerSecond += messages;
    return messages;
  }

  /** JMH divides it by the elapsed time. */
  @AuxCounters
  @State(Scope.Thread)
  public static class Counters {
    public long messagesPerSecond;
  }
}
