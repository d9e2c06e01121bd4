package rpcbench.microbench;

import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.internal.StatsTraceContext;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The counters of a stream, which are created for each call on either side. */
public class StatsTraceContextBenchmark extends CostBenchmark {
  private static final String METHOD = "service/method";

  /** The number of tracers of each stream, which do nothing. */
  @Param({"0", "2"})
  public int tracers;

  private final Metadata headers = new Metadata();
  private ClientStreamTracer[] client;
  private List<ServerStreamTracer.Factory> server;

  @Setup(Level.Trial)
  public void fill() {
    client = new ClientStreamTracer[tracers];
    Arrays.setAll(client, i -> new ClientStreamTracer() {});
    server = Collections.nCopies(tracers, new Factory());
  }

  @Benchmark
  public StatsTraceContext newClientContext() {
    return StatsTraceContext.newClientContext(client, Attributes.EMPTY, headers);
  }

  @Benchmark
  public StatsTraceContext newServerContext() {
    return StatsTraceContext.newServerContext(server, METHOD, headers);
  }

  private static final class Factory extends ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
      return new ServerStreamTracer() {};
    }
  }
}
