package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import rpcbench.host.Battery;
import rpcbench.stack.Kind;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Mark;
import rpcbench.worker.v1.Worker.Snapshot;
import rpcbench.worker.v1.Worker.StackInfo;

class ConversationTest {
  @Test
  void helloSaysWhatThereIs() throws Exception {
    try (Driver driver = new Driver()) {
      assertEquals(1, driver.hello.getProtocol());
      assertTrue(driver.hello.getRuntime().startsWith("java "), driver.hello.getRuntime());
      assertEquals(Runtime.getRuntime().availableProcessors(), driver.hello.getProcessors());
      assertEquals(2_000_000_000L, driver.hello.getLeastWarmupNs());
      assertEquals(60_000_000_000L, driver.hello.getCompilerPatienceNs());
      assertEquals(rpcbench.host.Machine.describe().name(), driver.hello.getHost().getName());
      assertTrue(Math.abs(driver.hello.getHost().getUnixNs() / 1e9 - System.currentTimeMillis() / 1e3) < 3600);
      assertFalse(driver.hello.getVirtualMachine().getCollector().isEmpty());
      assertEquals(Runtime.getRuntime().maxMemory(), driver.hello.getVirtualMachine().getMaxHeapBytes());
      StackInfo echo = driver.hello.getStacks(0);
      assertEquals("echo memory echo 1.0", echo.getName() + " " + echo.getProtocol() + " " + echo.getLibrary());
      assertTrue(echo.getServes() && echo.getCalls() && echo.getMultiplexed());
      assertEquals(8, echo.getKindsCount());
      assertEquals("reply", echo.getOptions(0).getName());
      assertTrue(echo.getOptions(0).getClient() && !echo.getOptions(0).getServer());
      StackInfo codec = driver.hello.getStacks(2);
      assertEquals("[small, large] [none]", codec.getMessagesList() + " " + codec.getCodecsList());
    }
  }

  @Test
  void theEndOfInputIsAGoodEnd() throws Exception {
    assertNull(new Driver().end());
  }

  @Test
  void theEndOfInputEndsAPhase() throws Exception {
    try (Driver server = new Driver()) {
      Driver client = new Driver();
      client.connect(Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo"))));
      client.begin(Commands.constant(100, Commands.HOUR_NS));
      client.await(interval -> interval.getOk() > 0);
      assertNull(client.end());
    }
  }

  @Test
  void aCommandThatBreaksOffIsNamed() throws Exception {
    Driver driver = new Driver();
    driver.write(new byte[] {100, 1, 2});
    assertEquals("read a command", driver.end().getMessage().split(":")[0]);
  }

  @Test
  void rubbishIsNamed() throws Exception {
    Driver driver = new Driver();
    driver.write(new byte[] {3, (byte) 0xff, (byte) 0xff, (byte) 0xff});
    assertEquals("read a command", driver.end().getMessage().split(":")[0]);
  }

  @Test
  void anUnknownCommandIsAFault() throws Exception {
    try (Driver driver = new Driver()) {
      UnknownFieldSet.Field later = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
      driver.write(UnknownFieldSet.newBuilder().addField(1000, later).build());
      Driver.assertFault("command", driver.next());
      driver.mark();
    }
  }

  @Test
  void whatDoesNotFitIntoMemoryIsAFault() throws Exception {
    try (Driver driver = new Driver()) {
      Event event = driver.ask(Commands.serve("echo").putOptions("threads", EchoStack.TOO_MANY_THREADS));
      assertEquals("the worker ran out of memory: unable to create native thread", event.getFault().getMessage());
      driver.serve(Commands.serve("echo"));
    }
  }

  @Test
  void aWorkerIsOneSideOfOneTrial() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      String address = server.serve(Commands.serve("echo"));
      client.connect(Commands.connect("echo", Kind.UNARY, address));
      Driver.assertFault("serve", server.ask(Commands.serve("echo")));
      Driver.assertFault("connect", server.ask(Commands.connect("echo", Kind.UNARY, address)));
      Driver.assertFault("serve", client.ask(Commands.serve("echo")));
    }
  }

  @Test
  void aFurtherConnectBeginsAnew() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      assertTrue(client.hello.getReconnects());
      String address = server.serve(Commands.serve("echo"));
      client.connect(Commands.connect("echo", Kind.UNARY, address));
      client.phase(Commands.closed(50));
      Connect.Builder other = Commands.connect("echo", Kind.STREAM, address).setConnections(3);
      assertEquals(3, client.connect(other).getSockets(), "the others are closed");
      assertEquals(0, client.mark().getBytesOut());
      Done done = client.phase(Commands.closed(10));
      assertEquals(10, done.getArrivals());
      assertEquals(10 * other.getCall().getMessages(), done.getMessagesOut());
      assertTrue(done.hasFirst());
      assertEquals(3, client.mark().getSockets());
    }
  }

  @Test
  void aFurtherConnectThatFailsLeavesNoConnection() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      String address = server.serve(Commands.serve("echo"));
      client.connect(Commands.connect("echo", Kind.UNARY, address));
      Driver.assertFault("connect.stack", client.ask(Commands.connect("telegraph", Kind.UNARY, address)));
      assertEquals(0, client.mark().getSockets());
      Driver.assertFault("begin", client.ask(Commands.closed(1)));
      client.connect(Commands.connect("echo", Kind.UNARY, address));
      assertEquals(7, client.phase(Commands.closed(7)).getArrivals());
    }
  }

  @Test
  void aPhaseIsNotConnectedAway() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      String address = server.serve(Commands.serve("echo"));
      client.connect(Commands.connect("echo", Kind.UNARY, address));
      client.begin(Commands.constant(100, Commands.HOUR_NS));
      client.await(interval -> interval.getOk() > 0);
      Driver.assertFault("connect", client.ask(Commands.connect("echo", Kind.UNARY, address)));
      assertTrue(client.stop(interval -> {}).getArrivals() > 0);
    }
  }

  @Test
  void withinAProcessItIsBothSidesAndTellsOfTheClients() throws Exception {
    try (Driver worker = new Driver()) {
      String address = worker.serve(Commands.serve("echo").setNetwork("inproc"));
      Driver.assertFault("connect", worker.ask(Commands.connect("echo", Kind.UNARY, address)));
      Driver.assertFault("serve", worker.ask(Commands.serve("echo").setNetwork("inproc")));
      worker.connect(Commands.connect("echo", Kind.UNARY, address).setNetwork("inproc"));
      worker.phase(Commands.closed(50));
      Snapshot after = worker.mark();
      assertEquals(2, after.getSockets());
      assertEquals(50 * 1000, after.getBytesOut());
      worker.connect(Commands.connect("echo", Kind.UNARY, address).setNetwork("inproc").setConnections(1));
      worker.phase(Commands.closed(10));
      assertEquals("1 10000", worker.mark().getSockets() + " " + worker.mark().getBytesOut());
    }
  }

  @Test
  void bytesOfATransportThatCarriesObjectsAreUnknown() {
    Wire wire = new Wire();
    assertTrue(new Snapshots(Battery.NONE).take(Mark.getDefaultInstance(), wire, null).hasBytesOut());
    new Wire(wire).carriesObjects();
    Snapshot snapshot = new Snapshots(Battery.NONE).take(Mark.getDefaultInstance(), wire, null);
    assertFalse(snapshot.hasBytesOut() || snapshot.hasBytesIn());
  }

  /** Only a look at each thread tells context switches. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aBriefMarkLooksAtNoThread() throws Exception {
    try (Driver driver = new Driver()) {
      Snapshot whole = driver.mark();
      assertTrue(whole.hasVoluntarySwitches() && whole.hasInvoluntarySwitches());
      Snapshot brief = driver.mark(Mark.newBuilder().setBrief(true).build());
      assertFalse(brief.hasVoluntarySwitches() || brief.hasInvoluntarySwitches());
      assertTrue(cpuNs(brief) >= cpuNs(whole), cpuNs(brief) + " ns of CPU after " + cpuNs(whole));
      assertEquals(whole.hasCompilerCpuNs(), brief.hasCompilerCpuNs());
    }
  }

  private static long cpuNs(Snapshot snapshot) {
    return snapshot.getCpuUserNs() + snapshot.getCpuSystemNs();
  }

  @Test
  void aSnapshotGrows() throws Exception {
    long begun = System.nanoTime();
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      client.connect(Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo"))));
      Snapshot before = client.mark();
      assertEquals(0, before.getBytesOut());
      assertTrue(before.getTimeNs() > 0 && before.getTimeNs() <= System.nanoTime() - begun, "time begins with the worker");
      Done done = client.phase(Commands.closed(50));
      Snapshot after = client.mark();
      assertEquals(50 * 1000, after.getBytesOut());
      assertEquals(50 * 700, after.getBytesIn());
      assertEquals(2, after.getSockets());
      assertTrue(after.getTimeNs() - before.getTimeNs() >= done.getElapsedNs(), "the phase was in between");
      assertTrue(after.getHeapBytes() > 0 && after.getHeapCommittedBytes() >= after.getHeapBytes());
      assertTrue(after.getPeakMemoryBytes() > 10_000_000);
      assertTrue(after.hasPacerCpuNs());
      assertFalse(server.mark().hasPacerCpuNs(), "a server has no pacer");
    }
  }
}
