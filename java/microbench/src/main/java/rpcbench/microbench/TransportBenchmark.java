package rpcbench.microbench;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
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

/** One unary call after another over each transport, with request and response of 1 kB: ns per call, with percentiles. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Timeout(time = 3, timeUnit = TimeUnit.MINUTES)
@Fork(value = 3, jvmArgs = {"-Xms1g", "-Xmx1g"})
@State(Scope.Benchmark)
public class TransportBenchmark {
  private static final int PAYLOAD_BYTES = 1024;
  private static final int CONNECT_SECONDS = 120;

  @Param public Transport transport;

  /** Runs callbacks on the transport's threads. */
  @Param({"true", "false"})
  public boolean direct;

  private final byte[] request = new byte[PAYLOAD_BYTES];
  private Link link;
  private Channel channel;

  /** Opens the transport and completes a first call. */
  @Setup(Level.Trial)
  public void open() throws IOException, InterruptedException {
    link = new Link(transport, direct, 1, 0);
    try {
      channel = link.channels().get(0);
      // OkHttp abandons a connection whose thread does not start within a second; the channel opens another.
      call(CallOptions.DEFAULT.withWaitForReady().withDeadlineAfter(CONNECT_SECONDS, TimeUnit.SECONDS));
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  @TearDown(Level.Trial)
  public void close() throws InterruptedException {
    link.close();
  }

  @Benchmark
  public byte[] unaryCall1024() {
    return call(CallOptions.DEFAULT);
  }

  private byte[] call(CallOptions options) {
    return ClientCalls.blockingUnaryCall(channel, ByteService.ECHO, options, request);
  }
}
