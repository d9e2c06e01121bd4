package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.record.Decoded;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Background;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Connected;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Histogram;
import rpcbench.worker.v1.Worker.Interval;
import rpcbench.worker.v1.Worker.Outcome;
import rpcbench.worker.v1.Worker.Permissions;
import rpcbench.worker.v1.Worker.Phase;
import rpcbench.worker.v1.Worker.Window;

class PhaseTest {
  private static Map<String, Long> outcomes(Done done) {
    Map<String, Long> calls = new TreeMap<>();
    done.getOutcomesList().forEach(outcome -> calls.put(outcome.getCode(), outcome.getCalls()));
    return calls;
  }

  private static List<String> histograms(Done done) {
    return done.getHistogramsList().stream().map(Histogram::getName).toList();
  }

  private static org.HdrHistogram.Histogram histogram(Done done, String name) throws Exception {
    for (Histogram histogram : done.getHistogramsList()) {
      if (histogram.getName().equals(name)) {
        return Decoded.of(histogram.getV2Compressed().toByteArray());
      }
    }
    throw new AssertionError("there is no histogram " + name);
  }

  @ParameterizedTest
  @CsvSource({
    "echo, unary, 60, 60", "echo, stream, 300, 300", "echo, ping_pong, 60, 60", "echo, burst, 300, 300",
    "echo, upload, 300, 60", "echo, download, 60, 300", "echo-single, unary, 60, 60",
  })
  void everyKindIsCountedExactly(String stack, String kind, long out, long in) throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connected connected = client.connect(Commands.connect(stack, kind, server.serve(Commands.serve(stack))));
      assertEquals(stack.equals("echo") ? 2 : 0, connected.getSockets());
      AtomicLong reported = new AtomicLong();
      client.begin(Commands.closed(60));
      Done done = Driver.done(client.answer(interval -> reported.addAndGet(interval.getOk())));
      assertEquals(Phase.PHASE_MEASURED, done.getPhase());
      assertEquals(Map.of("OK", 60L), outcomes(done));
      assertEquals(60, done.getArrivals());
      assertEquals(60, reported.get());
      assertTrue(done.getElapsedNs() > 0);
      assertEquals(List.of(out, in), List.of(done.getMessagesOut(), done.getMessagesIn()));
      assertEquals(List.of(out * 1000, in * 700), List.of(done.getPayloadBytesOut(), done.getPayloadBytesIn()));
      assertEquals(List.of("response"), histograms(done));
      assertEquals(60, histogram(done, "response").getTotalCount());
    }
  }

  @ParameterizedTest
  @CsvSource({"unary, 60, 60", "burst, 300, 300", "upload, 300, 60"})
  void aBatchCarriesThePayloadsOfItsOperations(String kind, long out, long in) throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connect.Builder connect = Commands.connect("echo", kind, server.serve(Commands.serve("echo")));
      connect.getCallBuilder().setBatch(7);
      client.connect(connect);
      Done done = client.phase(Commands.closed(60));
      assertEquals(List.of(out, in), List.of(done.getMessagesOut(), done.getMessagesIn()));
      assertEquals(List.of(out * 7000, in * 4900), List.of(done.getPayloadBytesOut(), done.getPayloadBytesIn()));
    }
  }

  /** The background is never batched, whatever the measured call is. */
  @Test
  void aBackgroundHasNoBatch() {
    Connect.Builder connect = Commands.connect("echo", Kind.UNARY, "");
    connect.getCallBuilder().setBatch(7);
    assertEquals(7, Calls.measured(connect.getCall(), 0).batch());
    Background beside = Background.newBuilder().setKind(Kind.STREAM).setMessages(2).build();
    assertEquals(0, Calls.background(beside, connect.getCall()).batch());
  }

  /** Garbage of the set-up and the warm-up is collected before the driver's next command. */
  @Test
  void whatIsMeasuredBeginsWithoutGarbage() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      String address = server.serve(Commands.serve("echo"));
      long begun = collections();
      client.connect(Commands.connect("echo", Kind.UNARY, address));
      long connected = collections();
      assertTrue(connected > begun, "nothing was collected after Connect");
      client.phase(Commands.closed(60).setPhase(Phase.PHASE_WARMUP));
      assertTrue(collections() > connected, "nothing was collected after the warm-up");
    }
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {Kind.CONNECT, Kind.FIRST_CALL})
  void connectAndFirstCallOpenAConnectionEach(String kind) throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connected connected = client.connect(Commands.connect("echo", kind, server.serve(Commands.serve("echo"))));
      assertEquals(0, connected.getSockets());
      Done done = client.phase(Commands.closed(20));
      assertEquals(Map.of("OK", 20L), outcomes(done));
      assertEquals(20, client.mark().getSockets());
      assertEquals(kind.equals(Kind.CONNECT) ? 0 : 20, done.getMessagesOut());
      assertFalse(done.hasFirst());
    }
  }

  @Test
  void anOpenLoadHasFourHistogramsAndItsWindows() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      client.connect(Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo"))));
      List<Interval> intervals = new ArrayList<>();
      client.begin(Commands.constant(200, Commands.HOUR_NS).setWindows(2));
      client.await(interval -> intervals.add(interval) && interval.hasResponse()); // the first window is full
      Done done = client.stop(intervals::add);
      long calls = done.getArrivals();
      assertEquals(Map.of("OK", calls), outcomes(done));
      assertEquals(List.of("queue", "response", "service", "wake"), histograms(done));
      assertEquals(calls, histogram(done, "wake").getTotalCount());
      checkIntervals(intervals, calls);
      checkWindows(done);
    }
  }

  private static void checkIntervals(List<Interval> intervals, long calls) {
    long end = 0;
    long ok = 0;
    long samples = 0;
    for (Interval interval : intervals) {
      assertEquals(end, interval.getStartNs());
      end = interval.getEndNs();
      ok += interval.getOk();
      samples += interval.getResponse().getCalls();
    }
    assertEquals(List.of(calls, calls), List.of(ok, samples));
  }

  private static void checkWindows(Done done) throws Exception {
    assertEquals(2, done.getWindowsCount());
    long end = 0;
    long calls = 0;
    for (Window window : done.getWindowsList()) {
      assertEquals(end, window.getStartNs());
      end = window.getEndNs();
      calls += Decoded.of(window.getResponse().toByteArray()).getTotalCount();
    }
    assertEquals(done.getArrivals(), calls);
  }

  @Test
  void stopEndsAWarmUpAndTheConnectionsLiveOn() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      client.connect(Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo"))));
      client.begin(Commands.constant(100, Commands.HOUR_NS).setPhase(Phase.PHASE_WARMUP));
      client.await(interval -> interval.getOk() > 0);
      Driver.assertFault("begin", client.ask(Commands.closed(1)));
      assertTrue(client.mark().getBytesOut() > 0, "a Mark during a phase");
      Done done = client.stop(interval -> {});
      assertEquals(Phase.PHASE_WARMUP, done.getPhase());
      assertTrue(done.getArrivals() < 360_000, "it went on for its hour");
      assertEquals(Map.of("OK", 7L), outcomes(client.phase(Commands.closed(7))));
      assertEquals(2, client.mark().getSockets());
    }
  }

  @ParameterizedTest
  @CsvSource({"wrong, false, MISMATCH", "wrong, true, OK", "short, false, MISMATCH", "short, true, MISMATCH"})
  void repliesAreChecked(String reply, boolean lengthsOnly, String code) throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connect.Builder connect = Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo")));
      connect.putOptions("reply", reply).getCallBuilder().setLengthsOnly(lengthsOnly);
      client.connect(connect);
      assertEquals(Map.of(code, 8L), outcomes(client.phase(Commands.closed(8))));
    }
  }

  @Test
  void anotherSeedIsAMismatchWhereLengthsDiffer() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connect.Builder connect = Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo")));
      connect.getCallBuilder().setSeed(2);
      client.connect(connect);
      assertEquals(Map.of("MISMATCH", 8L), outcomes(client.phase(Commands.closed(8))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Kind.CONNECT, Kind.FIRST_CALL})
  void aDeadServerIsAnOutcome(String kind) throws Exception {
    try (Driver client = new Driver()) {
      client.connect(Commands.connect("echo", kind, "127.0.0.1:0"));
      Done done = client.phase(Commands.closed(12));
      assertEquals(Map.of("UNAVAILABLE", 12L), outcomes(done));
      Outcome outcome = done.getOutcomes(0);
      assertEquals("UNAVAILABLE: nobody listens at 127.0.0.1:0", outcome.getExample());
      assertEquals(12, histogram(done, "error").getTotalCount());
    }
  }

  @Test
  void aCallPastItsDeadlineIsCancelled() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connect.Builder connect = Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo")));
      connect.putOptions("reply", "never").getCallBuilder().setDeadlineNs(20_000_000);
      client.connect(connect);
      Done done = client.phase(Commands.closed(6));
      assertEquals(Map.of("DEADLINE_EXCEEDED", 6L), outcomes(done));
      assertTrue(histogram(done, "error").getMinValue() >= 19_900_000);
    }
  }

  @Test
  void whatIsNeverAnsweredIsUnfinishedAndUnsent() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connect.Builder connect = Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo")));
      client.connect(connect.putOptions("reply", "never"));
      client.begin(Commands.constant(100_000, Commands.HOUR_NS).setDrainNs(0));
      client.await(interval -> interval.getInFlight() == 6);
      Done done = client.stop(interval -> {});
      assertEquals(Map.of("UNFINISHED", 6L, "UNSENT", done.getArrivals() - 6), outcomes(done));
    }
  }

  @Test
  void aBackgroundRunsBesideTheMeasuredCallsAndIsCountedApart() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      Connect.Builder connect = Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo")));
      connect.putOptions("reply", "behind");
      connect.setBackground(
          Background.newBuilder().setKind(Kind.UPLOAD).setRequestBytes(10).setResponseBytes(10).setMessages(2));
      client.connect(connect);
      Done done = client.phase(Commands.closed(30));
      assertEquals(Map.of("OK", 30L), outcomes(done));
      assertTrue(done.getBackground().getOk() >= 30, "each of them waited for one of the background: " + done);
      assertEquals(0, done.getBackground().getErrors());
      assertEquals(30, done.getMessagesOut());
      assertEquals(2, client.mark().getSockets());
    }
  }

  @Test
  void theFirstCallIsTakenApartOnce() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      client.connect(Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo"))));
      Done done = client.phase(Commands.closed(6));
      assertTrue(done.getFirst().getCallNs() > 0 && done.getFirst().getConnectNs() > 0, done.getFirst().toString());
      assertEquals(List.of(0L, 0L), List.of(done.getFirst().getResolveNs(), done.getFirst().getTlsNs()));
      assertFalse(done.getFirst().getInCall());
      assertFalse(client.phase(Commands.closed(6)).hasFirst());
    }
  }

  @Test
  void aFirstCallThatConnectsSaysSo() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      client.connect(Commands.connect("echo-single", Kind.UNARY, server.serve(Commands.serve("echo-single"))));
      Done done = client.phase(Commands.closed(6));
      assertTrue(done.getFirst().getInCall());
      assertEquals(0, done.getFirst().getProtocolNs());
    }
  }

  @ParameterizedTest
  @CsvSource({"rpcbench, OK", "rpcbench:$, PERMISSION_DENIED", "root, PERMISSION_DENIED"})
  void permissionsSayWhoseCallsAreAnswered(String pattern, String code) throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      String address =
          server.serve(
              Commands.serve("echo")
                  .setSecurity(Keys.server("mtls"))
                  .setPermissions(Permissions.newBuilder().addIn(pattern)));
      client.connect(Commands.connect("echo", Kind.UNARY, address).setSecurity(Keys.client("mtls")));
      Done done = client.phase(Commands.closed(9));
      assertEquals(Map.of(code, 9L), outcomes(done));
      String why = code.equals("OK") ? "" : "PERMISSION_DENIED: rpcbench:client may not call this server";
      assertEquals(why, done.getOutcomes(0).getExample());
    }
  }

  @Test
  void aCodecIsCalibratedBeforeItsPhase() throws Exception {
    try (Driver client = new Driver()) {
      Connected connected = client.connect(Commands.encode());
      assertEquals(20, connected.getCodec().getRepeat());
      assertEquals(42, connected.getCodec().getEncodedBytes());
      assertEquals("large".length(), connected.getCodec().getGzippedBytes());
      assertEquals(0, connected.getSockets());
      Done done = client.phase(Commands.closed(1000));
      assertEquals(Map.of("OK", 1000L), outcomes(done));
      assertEquals(List.of(0L, false), List.of(done.getMessagesOut(), done.hasFirst()));
    }
  }
}
