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
  private static final int HEADERS = 1; // types of frames
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int ACK = 1;
  private static final int REFUSED_STREAM = 7;

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
      in.readNBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length());
      write(out, SETTINGS, 0, 0, new byte[0]);
      while (true) {
        int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
        int type = in.readUnsignedByte();
        boolean ack = (in.readUnsignedByte() & ACK) != 0;
        int stream = in.readInt();
        byte[] payload = in.readNBytes(length);
        if (type == HEADERS) {
          calls.incrementAndGet();
          write(out, RST_STREAM, 0, stream, new byte[] {0, 0, 0, REFUSED_STREAM});
        } else if (type == SETTINGS && !ack) {
          write(out, SETTINGS, ACK, 0, new byte[0]);
        } else if (type == PING && !ack) {
          write(out, PING, ACK, 0, payload);
        }
      }
    } catch (IOException e) {
      return; // the client is gone
    }
  }

  private static void write(DataOutputStream out, int type, int flags, int stream, byte[] payload) throws IOException {
    out.writeShort(payload.length >> 8);
    out.writeByte(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
    out.flush();
  }
}
