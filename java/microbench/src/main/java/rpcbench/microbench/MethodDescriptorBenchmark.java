package rpcbench.microbench;

import io.grpc.InternalKnownTransport;
import io.grpc.InternalMethodDescriptor;
import io.grpc.MethodDescriptor;
import io.netty.util.AsciiString;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;

/** The path of a call, which the Netty transport keeps with the method: calls use {@code transportSpecific}. */
public class MethodDescriptorBenchmark extends CostBenchmark {
  private final InternalMethodDescriptor kept = new InternalMethodDescriptor(InternalKnownTransport.NETTY);
  private MethodDescriptor<byte[], byte[]> method;

  @Setup(Level.Trial)
  public void keep() {
    method = ByteService.ECHO.toBuilder().setFullMethodName("Service/Method").build();
    kept.setRawMethodName(method, old());
  }

  /** Creates the path again, as every call did before it was kept. */
  @Benchmark
  public AsciiString old() {
    return new AsciiString("/" + method.getFullMethodName());
  }

  @Benchmark
  public AsciiString transportSpecific() {
    return (AsciiString) kept.geRawMethodName(method);
  }
}
