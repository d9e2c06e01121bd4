package rpcbench.microbench;

import io.grpc.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Calls that keep themselves going: the callback that completes one begins the next. The benchmark sleeps for a slice of time and
 * reports the calls completed in it as an auxiliary counter, a rate per second. Its own score is the number of slices per second,
 * which is meaningless.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Timeout(time = 3, timeUnit = TimeUnit.MINUTES)
@Fork(value = 3, jvmArgs = {"-Xms1g", "-Xmx1g"})
@State(Scope.Benchmark)
public abstract class LoopBenchmark {
  private static final Duration SLICE = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Param("NETTY")
  public Transport transport;

  /** Runs callbacks on the transport's threads. */
  @Param("true")
  public boolean direct;

  /** The number of channels, each with its own connection. */
  @Param({"1", "4"})
  public int channels;

  private final Tally tally = new Tally(PATIENCE);
  private Link link;

  /** Opens the channels, begins the calls and waits for the first completion. */
  @Setup(Level.Trial)
  public void open(BenchmarkParams run) throws IOException, InterruptedException {
    if (run.getThreads() != 1) {
      throw new IllegalArgumentException(
          "-t " + run.getThreads() + ": a loop is counted by one thread; -p streams=N makes it wider");
    }
    if (transport == Transport.INPROCESS && direct) {
      throw new IllegalArgumentException(
          "INPROCESS runs a direct loop inside the call that begins it, which never returns: add -p direct=false");
    }
    link = new Link(transport, direct, channels, windowBytes());
    try {
      for (Channel channel : link.channels()) {
        begin(channel, tally);
      }
      tally.during(Duration.ZERO);
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  @TearDown(Level.Trial)
  public void close() throws InterruptedException {
    tally.close();
    link.close();
  }

  /** Begins the calls of one channel. */
  abstract void begin(Channel channel, Tally tally);

  /** Returns the flow-control window; 0 is the transport's default. */
  int windowBytes() {
    return 0;
  }

  /** Returns the number of completions in a slice of time. */
  final long slice() throws InterruptedException {
    return tally.during(SLICE);
  }
}
