package rpcbench.worker;

import static rpcbench.worker.Driver.assertFault;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Bounds;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Background;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Call;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Permissions;
import rpcbench.worker.v1.Worker.Phase;
import rpcbench.worker.v1.Worker.Security;
import rpcbench.worker.v1.Worker.Serve;
import rpcbench.worker.v1.Worker.Stage;

/** What can't be satisfied is named, and breaks nothing: the good command after all of them is executed. */
class FaultTest {
  private static final int TOO_MANY_BYTES = Bounds.MESSAGE_BYTES_MAX + 1;

  /** Some change of a command, and the field that the Fault names. */
  private record Case<C>(String field, Consumer<C> change) {}

  private static Stage stage(double from, double to) {
    return Stage.newBuilder().setFrom(from).setTo(to).setLengthNs(1).build();
  }

  private static Security.Builder security(String mode) {
    return Security.newBuilder().setMode(mode);
  }

  @Test
  void aServeThatCannotBeHonouredIsNamed() throws Exception {
    List<Case<Serve.Builder>> cases =
        List.of(
            new Case<>("serve.stack", c -> c.setStack("nobody")),
            new Case<>("serve.stack", c -> c.setStack("codec-nothing")),
            new Case<>("serve.network", c -> c.setNetwork("udp")),
            new Case<>("serve.network", c -> c.setNetwork("")),
            new Case<>("serve.address", c -> c.setAddress("")),
            new Case<>("serve.address", c -> c.setAddress("127.0.0.1")),
            new Case<>("serve.address", c -> c.setAddress("127.0.0.1:port")),
            new Case<>("serve.address", c -> c.setAddress("127.0.0.1:65536")),
            new Case<>("serve.address", c -> c.setAddress("::1:80")),
            new Case<>("serve.security.mode", c -> c.setSecurity(security("wep"))),
            new Case<>("serve.security.cert_pem", c -> c.setSecurity(security("tls"))),
            new Case<>("serve.security.key_pem", c -> c.setSecurity(Keys.server("tls").clearKeyPem())),
            new Case<>("serve.security.ca_pem", c -> c.setSecurity(Keys.server("mtls").clearCaPem())),
            new Case<>("serve.security.skip_verify", c -> c.setSecurity(Keys.server("tls").setSkipVerify(true))),
            new Case<>("serve.security.system_roots", c -> c.setSecurity(security("plaintext").setSystemRoots(true))),
            new Case<>("serve.options", c -> c.putOptions("colour", "red")),
            new Case<>("serve.options", c -> c.putOptions("reply", "right")), // the client's alone
            new Case<>("serve.payload", c -> c.setPayload("poems")),
            new Case<>("serve.permissions", c -> c.setPermissions(Permissions.newBuilder().addIn("..."))),
            new Case<>(
                "serve.permissions",
                c -> c.setSecurity(Keys.server("mtls")).setPermissions(Permissions.newBuilder().addIn("a::b"))));
    try (Driver driver = new Driver()) {
      for (Case<Serve.Builder> bad : cases) {
        Serve.Builder serve = Commands.serve("echo");
        bad.change.accept(serve);
        assertFault(bad.field, driver.ask(serve));
      }
      driver.serve(Commands.serve("echo"));
    }
  }

  @Test
  void aConnectThatCannotBeHonouredIsNamed() throws Exception {
    Map<String, List<Case<Connect.Builder>>> byKind = new LinkedHashMap<>();
    byKind.put(Kind.UNARY, connects());
    byKind.put(Kind.PING_PONG, List.of(
        new Case<>("connect.streams", c -> c.setStreams(0)),
        new Case<>("connect.streams", c -> c.setStreams(4)),
        new Case<>("connect.streams", c -> c.setStreams(-1)),
        new Case<>("connect.call.messages_per_stream", c -> c.getCallBuilder().setMessagesPerStream(-1)),
        new Case<>("connect.call.messages_per_stream", c -> c.setStreams(1).getCallBuilder().setMessagesPerStream(2))));
    byKind.put(Kind.STREAM, List.of(
        new Case<>("connect.call.messages", c -> c.getCallBuilder().setMessages(0)),
        new Case<>("connect.call.messages", c -> c.getCallBuilder().setMessages(-1))));
    byKind.put(Kind.FIRST_CALL, List.of(
        new Case<>("connect.call.request_bytes", c -> c.getCallBuilder().setRequestBytes(1)),
        new Case<>("connect.call.response_bytes", c -> c.getCallBuilder().setResponseBytes(1)),
        new Case<>("connect.background", c -> c.setBackground(Background.newBuilder().setKind(Kind.UNARY)))));
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      String address = server.serve(Commands.serve("echo"));
      for (var cases : byKind.entrySet()) {
        for (Case<Connect.Builder> bad : cases.getValue()) {
          Connect.Builder connect = Commands.connect("echo", cases.getKey(), address);
          bad.change.accept(connect);
          assertFault(bad.field, client.ask(connect));
        }
      }
      client.connect(Commands.connect("echo", Kind.UNARY, address));
    }
  }

  private static List<Case<Connect.Builder>> connects() {
    return List.of(
        new Case<>("connect.stack", c -> c.setStack("nobody")),
        new Case<>("connect.network", c -> c.setNetwork("udp")),
        new Case<>("connect.addresses", c -> c.clearAddresses()),
        new Case<>("connect.security.mode", c -> c.setSecurity(security("wep"))),
        new Case<>("connect.security.system_roots", c -> c.setSecurity(Keys.client("tls").setSystemRoots(true))),
        new Case<>("connect.security.skip_verify", c -> c.setSecurity(Keys.client("tls").setSkipVerify(true))),
        new Case<>("connect.call.recipe", c -> c.getCallBuilder().getRecipeBuilder()),
        new Case<>("connect.call.message_rate_per_sec", c -> c.getCallBuilder().setMessageRatePerSec(5)),
        new Case<>("connect.security.ca_pem", c -> c.setSecurity(security("tls"))),
        new Case<>("connect.security.server_name", c -> c.setSecurity(Keys.client("tls").clearServerName())),
        new Case<>("connect.security.cert_pem", c -> c.setSecurity(Keys.client("mtls").clearCertPem())),
        new Case<>(
            "connect.security.key_pem",
            c -> c.setSecurity(Keys.client("mtls").setKeyPem(ByteString.copyFromUtf8("rubbish")))),
        new Case<>("connect.options", c -> c.putOptions("colour", "red")),
        new Case<>("connect.options", c -> c.putOptions("threads", "1")), // the server's alone
        new Case<>("connect", c -> c.putOptions("reply", "unreadable")),
        new Case<>("connect", c -> c.setAddresses(0, "127.0.0.1:0")), // no server listens there
        new Case<>("connect.connections", c -> c.setConnections(0)),
        new Case<>("connect.connections", c -> c.setConnections(-1)),
        new Case<>("connect.in_flight", c -> c.setInFlight(0)),
        new Case<>("connect.in_flight", c -> c.setInFlight(-1)),
        new Case<>("connect.streams", c -> c.setStreams(1)),
        new Case<>("connect.call.kind", c -> c.getCallBuilder().setKind("gossip")),
        new Case<>("connect.call.kind", c -> c.getCallBuilder().setKind("")),
        new Case<>("connect.call.kind", c -> c.getCallBuilder().setKind(Kind.ENCODE)),
        new Case<>("connect.call.compression", c -> c.getCallBuilder().setCompression("lzw")),
        new Case<>("connect.call.payload", c -> c.getCallBuilder().setPayload("poems")),
        new Case<>("connect.call.messages", c -> c.getCallBuilder().setMessages(2)),
        new Case<>("connect.call.messages_per_stream", c -> c.getCallBuilder().setMessagesPerStream(2)),
        new Case<>("connect.call.batch", c -> c.getCallBuilder().setBatch(Bounds.BATCH_MAX + 1)),
        new Case<>("connect.call.batch", c -> c.getCallBuilder().setBatch(-1)),
        new Case<>("connect.call.batch", c -> c.getCallBuilder().setBatch(100).setRequestBytes(1_000_000)),
        new Case<>("connect.call.batch", c -> c.getCallBuilder().setBatch(1).setResponseBytes(64 << 20)),
        new Case<>("connect.call.batch", c -> c.getCallBuilder().setKind(Kind.STREAM).setMessages(5).setBatch(2)),
        new Case<>("connect.call.messages", c -> burst(c, Bounds.BURST_MAX + 1)),
        new Case<>("connect.call.messages", c -> burst(c, 0)),
        new Case<>("connect.call.messages", c -> burst(c, 100).setRequestBytes(1_000_000)),
        new Case<>("connect.call.messages", c -> burst(c, 100).setRequestBytes(1000).setBatch(1000)),
        new Case<>("connect.streams", c -> burst(c.setStreams(100), 2)),
        new Case<>("connect.call.deadline_ns", c -> c.getCallBuilder().setDeadlineNs(999_999)),
        new Case<>("connect.call.request_bytes", c -> c.getCallBuilder().setRequestBytes(TOO_MANY_BYTES)),
        new Case<>("connect.call.response_bytes", c -> c.getCallBuilder().setResponseBytes(-1)),
        new Case<>("connect.call.message", c -> c.getCallBuilder().setMessage("small")),
        new Case<>("connect.call.codec", c -> c.getCallBuilder().setCodec("json")),
        new Case<>("connect.call.sample_ns", c -> c.getCallBuilder().setSampleNs(1)),
        new Case<>("connect.background.kind", c -> background(c, Kind.CONNECT)),
        new Case<>("connect.background.kind", c -> background(c, "gossip")),
        new Case<>("connect.background.messages", c -> background(c, Kind.STREAM)),
        new Case<>("connect.background.messages", c -> background(c, Kind.UNARY).setMessages(2)),
        new Case<>("connect.background.request_bytes", c -> background(c, Kind.UNARY).setRequestBytes(TOO_MANY_BYTES)),
        new Case<>(
            "connect.background.response_bytes", c -> background(c, Kind.UNARY).setResponseBytes(TOO_MANY_BYTES)),
        new Case<>("connect.background", c -> background(c.setStack("echo-single"), Kind.UNARY)));
  }

  private static Call.Builder burst(Connect.Builder connect, int messages) {
    connect.setStreams(connect.getStreams() == 0 ? 1 : connect.getStreams());
    return connect.getCallBuilder().setKind(Kind.BURST).setMessages(messages);
  }

  private static Background.Builder background(Connect.Builder connect, String kind) {
    return connect.getBackgroundBuilder().setKind(kind);
  }

  @Test
  void aCodecThatCannotBeHonouredIsNamed() throws Exception {
    List<Case<Connect.Builder>> cases =
        List.of(
            new Case<>("connect.network", c -> c.setNetwork("tcp")),
            new Case<>("connect.security.mode", c -> c.setSecurity(security("tls"))),
            new Case<>("connect.addresses", c -> c.addAddresses("127.0.0.1:1")),
            new Case<>("connect.connections", c -> c.setConnections(2)),
            new Case<>("connect.in_flight", c -> c.setInFlight(0)),
            new Case<>("connect.streams", c -> c.setStreams(1)),
            new Case<>("connect.background", c -> background(c, Kind.UNARY)),
            new Case<>("connect.call.kind", c -> c.getCallBuilder().setKind(Kind.UNARY)),
            new Case<>("connect.call.compression", c -> c.getCallBuilder().setCompression("gzip")),
            new Case<>("connect.call.payload", c -> c.getCallBuilder().setPayload("random")),
            new Case<>("connect.call.request_bytes", c -> c.getCallBuilder().setRequestBytes(1)),
            new Case<>("connect.call.response_bytes", c -> c.getCallBuilder().setResponseBytes(1)),
            new Case<>("connect.call.messages", c -> c.getCallBuilder().setMessages(1)),
            new Case<>("connect.call.messages_per_stream", c -> c.getCallBuilder().setMessagesPerStream(1)),
            new Case<>("connect.call.batch", c -> c.getCallBuilder().setBatch(1)),
            new Case<>("connect.call.message", c -> c.getCallBuilder().setMessage("medium")),
            new Case<>("connect.call.codec", c -> c.getCallBuilder().setCodec("json")),
            new Case<>("connect.call.sample_ns", c -> c.getCallBuilder().setSampleNs(0)),
            new Case<>("connect.call.sample_ns", c -> c.getCallBuilder().setSampleNs(Limits.SAMPLE_MAX_NS + 1)),
            new Case<>("connect.call.lengths_only", c -> c.getCallBuilder().setLengthsOnly(true)),
            new Case<>("connect.call.sizes", c -> c.getCallBuilder().getSizesBuilder()),
            new Case<>("connect.call.accesses", c -> c.getCallBuilder().getAccessesBuilder()),
            new Case<>("connect.call.deadline_ns", c -> c.getCallBuilder().setDeadlineNs(0)),
            new Case<>("connect.call.deadline_ns", c -> c.getCallBuilder().setDeadlineNs(19_999_999)));
    try (Driver driver = new Driver()) {
      for (Case<Connect.Builder> bad : cases) {
        Connect.Builder connect = Commands.encode();
        bad.change.accept(connect);
        assertFault(bad.field, driver.ask(connect));
      }
      driver.connect(Commands.encode());
    }
  }

  @Test
  void aBeginThatCannotBeHonouredIsNamed() throws Exception {
    List<Case<Begin.Builder>> cases =
        List.of(
            new Case<>("begin.phase", c -> c.setPhase(Phase.PHASE_UNSPECIFIED)),
            new Case<>("begin.phase", c -> c.setPhaseValue(7)),
            new Case<>("begin.duration_ns", c -> c.setDurationNs(1)),
            new Case<>("begin.duration_ns", c -> c.setCalls(0)),
            new Case<>("begin.duration_ns", c -> c.setDurationNs(-1)),
            new Case<>("begin.duration_ns", c -> c.setDurationNs(1).setCalls(-1)),
            new Case<>("begin.drain_ns", c -> c.setDrainNs(-1)),
            new Case<>("begin.delay_ns", c -> c.setDelayNs(-1)),
            new Case<>("begin.windows", c -> c.setWindows(51)),
            new Case<>("begin.interval_ns", c -> c.setIntervalNs(-1)),
            new Case<>("begin.interval_ns", c -> c.setIntervalNs(4_999_999)),
            new Case<>("begin.interval_ns", c -> c.setIntervalNs(1_000_000_001)),
            new Case<>("begin.load.part", c -> c.getLoadBuilder().setPart(2).setParts(2)),
            new Case<>("begin.load.arrivals", c -> c.getLoadBuilder().setArrivals("bursty")),
            new Case<>("begin.load.arrivals", c -> c.clearLoad()),
            new Case<>("begin.load.stages", c -> c.getLoadBuilder().addStagesBuilder()),
            new Case<>("begin.load.stages", c -> c.getLoadBuilder().addStages(stage(Double.NaN, 1))),
            new Case<>("begin.load.stages", c -> c.getLoadBuilder().addStages(stage(1, -1))),
            new Case<>("begin.load.stages", c -> c.setCalls(0).setDurationNs(1).getLoadBuilder().addStages(stage(1, 1e9))),
            new Case<>("begin.calls", c -> c.getLoadBuilder().addStages(stage(1, 1))),
            new Case<>("begin.load.per_sec", c -> c.getLoadBuilder().setPerSec(5)),
            new Case<>("begin.load.per_sec", c -> c.getLoadBuilder().setArrivals("poisson")),
            new Case<>("begin.load.per_sec", c -> c.getLoadBuilder().setArrivals("constant").setPerSec(-5)),
            new Case<>("begin.load.per_sec", c -> c.getLoadBuilder().setArrivals("constant").setPerSec(Double.NaN)),
            new Case<>(
                "begin.load.per_sec",
                c -> c.getLoadBuilder().setArrivals("constant").setPerSec(Double.POSITIVE_INFINITY)));
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      assertFault("begin", client.ask(Commands.closed(1)));
      client.connect(Commands.connect("echo", Kind.UNARY, server.serve(Commands.serve("echo"))));
      for (Case<Begin.Builder> bad : cases) {
        Begin.Builder begin = Commands.closed(1);
        bad.change.accept(begin);
        assertFault(bad.field, client.ask(begin));
      }
      client.phase(Commands.closed(1));
    }
  }
}
