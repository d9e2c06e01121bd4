package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/** A call that the server has refused unprocessed is retried if the option says so, and only then. */
class RetryTest {
  static Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aRefusedCallIsMadeAgainWhereItIsAskedFor(Stack client) throws Exception {
    for (Map.Entry<Map<String, String>, Integer> each :
        Map.of(Map.<String, String>of(), 1, Map.of("retry", "false"), 1, Map.of("retry", "true"), 2).entrySet()) {
      AtomicInteger calls = new AtomicInteger();
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        Thread refusing = new Thread(() -> refuse(server, calls));
        refusing.start();
        DialConfig config = new DialConfig(
            "tcp", "127.0.0.1:" + server.getLocalPort(), null, "none", 1, new Wire(), each.getKey());
        try (Conn conn = client.dial(config)) {
          List<Code> codes = Calls.call(Calls.callers(conn, Calls.all(1, 1, 1).get("unary"), 1));
          assertEquals(List.of(Code.UNAVAILABLE), codes);
        }
        refusing.join();
        assertEquals(each.getValue(), calls.get(), each.getKey().toString());
      }
    }
  }

  /** Speaks enough HTTP/2 to refuse every stream of one connection. */
  private static void refuse(ServerSocket server, AtomicInteger calls) {
    try (Socket socket = server.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      in.readNBytes(Frame.PREFACE.length());
      new Frame(Frame.SETTINGS, 0, 0, new byte[0]).write(out);
      while (true) {
        Frame frame = Frame.read(in);
        if (frame.type() == Frame.HEADERS) {
          calls.incrementAndGet();
          new Frame(Frame.RST_STREAM, 0, frame.stream(), new byte[] {0, 0, 0, Frame.REFUSED_STREAM}).write(out);
        } else if (frame.type() == Frame.SETTINGS && !frame.isAck()) {
          new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]).write(out);
        } else if (frame.type() == Frame.PING && !frame.isAck()) {
          new Frame(Frame.PING, Frame.ACK, 0, frame.payload()).write(out);
        }
      }
    } catch (IOException e) {
      return; // the client is gone
    }
  }
}
