package rpcbench.microbench;

import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.util.MutableHandlerRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A server to which services can be added while it runs looks up the method of every call by name. */
public class HandlerRegistryBenchmark extends CostBenchmark {
  private static final int SEED = 1; // makes names the same in every run

  /** The length of a service's name, and of a method's. */
  @Param("50")
  public int nameLength;

  @Param("100")
  public int serviceCount;

  /** The number of methods of each service. */
  @Param("100")
  public int methodCountPerService;

  private MutableHandlerRegistry registry;
  private List<String> names;
  private String unknown;
  private int next;

  @Setup(Level.Trial)
  public void register() {
    Random random = new Random(SEED);
    registry = new MutableHandlerRegistry();
    names = new ArrayList<>();
    for (int service = 0; service < serviceCount; service++) {
      registry.addService(service(name(random), random));
    }
    unknown = names.get(0) + "-";
  }

  private ServerServiceDefinition service(String service, Random random) {
    List<MethodDescriptor<byte[], byte[]>> methods = new ArrayList<>();
    for (int i = 0; i < methodCountPerService; i++) {
      String name = MethodDescriptor.generateFullMethodName(service, name(random));
      names.add(name);
      methods.add(ByteService.ECHO.toBuilder().setFullMethodName(name).build());
    }
    ServiceDescriptor.Builder described = ServiceDescriptor.newBuilder(service);
    methods.forEach(described::addMethod);
    ServerServiceDefinition.Builder served = ServerServiceDefinition.builder(described.build());
    methods.forEach(method -> served.addMethod(method, (call, headers) -> null));
    return served.build();
  }

  private String name(Random random) {
    return random
        .ints(nameLength, 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Looks up one method after another. */
  @Benchmark
  public ServerMethodDefinition<?, ?> lookupMethod() {
    int at = next; // read once, because there may be several threads
    next = (at + 1) % names.size();
    return registry.lookupMethod(names.get(at), null);
  }

  /** Looks up an unknown method of a known service. */
  @Benchmark
  public ServerMethodDefinition<?, ?> lookupUnknown() {
    return registry.lookupMethod(unknown, null);
  }
}
