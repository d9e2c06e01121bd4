package rpcbench.microbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.InternalChannelz;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The benchmarks of the smaller parts do what their names say. */
final class PartsTest {
  @Test
  void everyCallOptionIsPutAndThenReplaced() {
    CallOptionsBenchmark benchmark = new CallOptionsBenchmark();
    benchmark.customOptionsCount = 8;
    benchmark.fill();

    CallOptions all = benchmark.withOption();
    CallOptions replaced = benchmark.withOptionDuplicates();

    assertEquals(8, count(all, "a value"));
    assertEquals(8, count(replaced, "another value"));
    assertEquals(0, count(replaced, "a value"));
    assertEquals("a value", benchmark.getOption());
  }

  /** Returns how many options have a value, by their string form. */
  private static int count(CallOptions options, String value) {
    return options.toString().split(", " + value + "]", -1).length - 1;
  }

  @Test
  void everyFilterAddsAnAttribute() {
    AttributesBenchmark benchmark = new AttributesBenchmark();
    benchmark.iterations = 10;
    benchmark.fill();

    assertEquals(10, benchmark.chain().toString().split("=a value", -1).length - 1);
    assertEquals("a value", benchmark.lookup());
  }

  @Test
  void everyMethodIsFoundByItsName() {
    HandlerRegistryBenchmark benchmark = new HandlerRegistryBenchmark();
    benchmark.nameLength = 5;
    benchmark.serviceCount = 3;
    benchmark.methodCountPerService = 4;
    benchmark.register();
    Set<String> found = new HashSet<>();

    for (int i = 0; i < 2 * 3 * 4; i++) {
      found.add(benchmark.lookupMethod().getMethodDescriptor().getFullMethodName());
    }

    assertEquals(3 * 4, found.size());
    assertTrue(found.stream().allMatch(name -> name.matches("[a-z]{5}/[a-z]{5}")), found.toString());
    assertNull(benchmark.lookupUnknown());
  }

  @Test
  void pathKeptIsPathMade() {
    MethodDescriptorBenchmark benchmark = new MethodDescriptorBenchmark();
    benchmark.keep();

    assertEquals("/Service/Method", benchmark.old().toString());
    assertEquals(benchmark.old(), benchmark.transportSpecific());
    assertSame(benchmark.transportSpecific(), benchmark.transportSpecific());
  }

  @Test
  void contextIsReadThroughAllThatWasAddedAfter() {
    ContextBenchmark benchmark = new ContextBenchmark();
    benchmark.others = 100;
    benchmark.fill();
    Context before = Context.current();

    assertEquals(-1, benchmark.read());
    assertEquals(-1, benchmark.attachDetach());
    assertNotEquals(benchmark.write(), benchmark.write());
    assertSame(before, Context.current(), "it is detached again");
  }

  @Test
  void whatIsAddedToChannelzIsTakenAway() {
    ChannelzBenchmark benchmark = new ChannelzBenchmark();
    benchmark.preexisting = 10;
    benchmark.fill();
    InternalChannelz channelz = benchmark.channelz;
    assertEquals(11, channelz.getServers(0, 100).servers.size());

    for (int i = 0; i < 2; i++) {
      benchmark.server();
      benchmark.clientSocket();
      benchmark.serverSocket();
    }

    long busy = InternalChannelz.id(channelz.getServers(0, 100).servers.get(0));
    assertEquals(11, channelz.getServers(0, 100).servers.size());
    assertEquals(10, channelz.getServerSockets(busy, 0, 100).sockets.size());
  }

  @Test
  void everyRunnableHasRunWhenTheLastHas() throws InterruptedException {
    SerializingExecutorBenchmark benchmark = new SerializingExecutorBenchmark();
    benchmark.start();
    try {
      benchmark.oneRunnableLatency();
      assertEquals(SerializingExecutorBenchmark.MANY, benchmark.manyRunnables());
      assertEquals(SerializingExecutorBenchmark.MANY, benchmark.manyRunnables());
    } finally {
      benchmark.stop();
    }
  }

  @Test
  void everyStreamHasItsTracers() {
    StatsTraceContextBenchmark benchmark = new StatsTraceContextBenchmark();
    benchmark.tracers = 2;
    benchmark.fill();

    assertEquals(2, benchmark.newClientContext().getTracersForTest().size());
    assertEquals(2, benchmark.newServerContext().getTracersForTest().size());
    assertFalse(benchmark.newClientContext() == benchmark.newClientContext(), "one for each call");
  }
}
