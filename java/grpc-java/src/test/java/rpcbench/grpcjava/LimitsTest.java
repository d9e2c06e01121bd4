package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.grpcjava.Calls.SLOTS;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Address;
import rpcbench.stack.Call;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Stack;

/** A server refuses what exceeds its limits. */
class LimitsTest {
  private static final long SOON_NS = 50_000_000;
  private static final int PATIENCE_MS = 180_000; // a server that does not close is at fault

  @ParameterizedTest
  @CsvSource({
    "10000, 10000, 0, OK",
    "1000, 1000, 3, OK", // the batches of Calls have 3 operations
    "20001, 10, 0, RESOURCE_EXHAUSTED",
    "10, 10001, 0, RESOURCE_EXHAUSTED",
    "10, 10, 2, RESOURCE_EXHAUSTED",
    "7000, 10, 3, RESOURCE_EXHAUSTED",
    "10, 4000, 3, RESOURCE_EXHAUSTED",
  })
  void whatExceedsALimitIsRefused(int requestBytes, int responseBytes, int batch, Code want) throws Exception {
    Rig rig = new Rig(new NettyStack());
    rig.limits = new ServerLimits(20_000, 10_000, batch, 0, 0, 0, 0, 0);
    try (rig) {
      rig.serve();
      for (String compression : new String[] {"none", "gzip"}) {
        try (Conn conn = rig.dial(compression, SLOTS)) {
          for (Map.Entry<String, Call> each : Calls.all(requestBytes, responseBytes, SLOTS).entrySet()) {
            if (each.getKey().endsWith("batch") != batch > 0) {
              continue;
            }
            String what = each.getKey() + " " + compression;
            Calls.assertAll(want, Calls.call(Calls.callers(conn, each.getValue(), SLOTS)), what);
          }
        }
      }
    }
  }

  static Stream<Stack> servers() {
    return Stream.of(new NettyStack(), new OkHttpServerStack());
  }

  /**
   * OkHttp's server resets the stream of a message that is too long on the wire, and refuses one that is too long only when
   * decompressed.
   */
  @ParameterizedTest
  @CsvSource({
    "20001, 10, 0, none, INTERNAL",
    "20001, 10, 0, gzip, RESOURCE_EXHAUSTED",
    "10, 10001, 0, none, RESOURCE_EXHAUSTED",
    "10, 10, 2, none, RESOURCE_EXHAUSTED",
    "7000, 10, 3, none, INTERNAL",
  })
  void okHttpDeviatesAsItDeclares(int requestBytes, int responseBytes, int batch, String compression, Code want)
      throws Exception {
    Rig rig = new Rig(new NettyStack(), new OkHttpServerStack());
    rig.limits = new ServerLimits(20_000, 10_000, batch, 0, 0, 0, 0, 0);
    try (rig; Conn conn = rig.serve().dial(compression, SLOTS)) {
      Call call = Calls.all(requestBytes, responseBytes, SLOTS).get(batch > 0 ? "unary, batch" : "unary");
      Calls.assertAll(want, Calls.call(Calls.callers(conn, call, SLOTS)), compression);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void aConnectionOnWhichNothingComesIsClosed(Stack server) throws Exception {
    for (boolean isHeader : new boolean[] {true, false}) {
      nothingComes(server, isHeader);
    }
  }

  private static void nothingComes(Stack server, boolean isHeader) throws Exception {
    Rig rig = new Rig(new NettyStack(), server);
    rig.limits = new ServerLimits(0, 0, 0, 0, 0, 0, isHeader ? SOON_NS : 0, isHeader ? 0 : SOON_NS);
    try (rig; Socket socket = connect(rig.serve())) {
      socket.getOutputStream().write('P'); // the first byte of HTTP/2's preface
      drain(socket);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void aConnectionBeyondTheLimitIsClosed(Stack server) throws Exception {
    Rig rig = new Rig(new NettyStack(), server);
    rig.limits = new ServerLimits(0, 0, 0, 1, 0, 0, 0, 0);
    try (rig; Conn first = rig.serve().dial(); Socket second = connect(rig)) {
      drain(second);
      Call unary = Calls.all(10, 10, SLOTS).get("unary");
      Calls.assertAll(Code.OK, Calls.call(Calls.callers(first, unary, SLOTS)), "the first connection");
    }
  }

  /** A client may ignore what the server's SETTINGS say, and need not acknowledge them. */
  @ParameterizedTest
  @MethodSource("servers")
  void aStreamBeyondTheLimitIsRefused(Stack server) throws Exception {
    Rig rig = new Rig(new NettyStack(), server);
    rig.limits = new ServerLimits(0, 0, 0, 0, 1, 0, 0, 0);
    try (rig; Socket socket = connect(rig.serve())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeBytes(Frame.PREFACE);
      new Frame(Frame.SETTINGS, 0, 0, new byte[0]).write(out);
      for (int stream : new int[] {1, 3}) {
        new Frame(Frame.HEADERS, Frame.END_HEADERS, stream, openStream()).write(out);
      }
      DataInputStream in = new DataInputStream(socket.getInputStream());
      Frame frame = Frame.read(in);
      while (frame.type() != Frame.RST_STREAM) {
        frame = Frame.read(in);
      }
      assertEquals(3, frame.stream());
      assertArrayEquals(new byte[] {0, 0, 0, Frame.REFUSED_STREAM}, frame.payload());
    }
  }

  /** Returns the headers of a stream of ping_pong: RFC 7541, section 6 and appendix A. */
  private static byte[] openStream() throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x83); // :method: POST
    block.write(0x86); // :scheme: http
    for (String[] header : new String[][] {
      {":path", "/grpc.testing.BenchmarkService/StreamingCall"}, {":authority", "localhost"},
      {"content-type", "application/grpc"}, {"te", "trailers"},
    }) {
      block.write(0); // a literal with a new name, not indexed
      for (String text : header) {
        block.write(text.length());
        block.write(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
    return block.toByteArray();
  }

  @Test
  void allBurstsHoldABoundedNumberOfBytes() throws Exception {
    Rig rig = new Rig(new NettyStack());
    rig.limits = new ServerLimits(0, 0, 0, 0, 0, 500, 0, 0);
    try (rig; Conn conn = rig.serve().dial()) {
      Call burst = Calls.all(200, 200, 1).get("burst");
      Calls.assertAll(Code.RESOURCE_EXHAUSTED, Calls.call(Calls.callers(conn, burst, 1)), "burst");
    }
  }

  private static Socket connect(Rig rig) throws Exception {
    Address at = Address.parse(rig.address);
    Socket socket = new Socket(at.host(), at.port());
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  /** Reads until the server closes the connection. */
  private static void drain(Socket socket) throws Exception {
    byte[] some = new byte[100];
    int got = 0;
    while (got >= 0) {
      got = socket.getInputStream().read(some);
    }
  }
}
