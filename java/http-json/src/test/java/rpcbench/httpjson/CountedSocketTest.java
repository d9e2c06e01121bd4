package rpcbench.httpjson;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Wire;

/** No call stalls: what is sent in two writes would else wait for the first one's ACK, which may be 40 ms late. */
class CountedSocketTest {
  static Stream<Socket> sockets() {
    return Stream.of(new CountedSocket(new Wire()), new UnencryptedSocket(new Wire()));
  }

  @ParameterizedTest
  @MethodSource("sockets")
  void clientsSendWithoutDelay(Socket socket) throws Exception {
    try (socket; RawServer server = RawServer.silent()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      assertTrue(socket.getTcpNoDelay());
    }
  }

  @Test
  void theServerSendsWithoutDelay() {
    ConnectionFactory[] http = {new HttpConnectionFactory()};
    assertTrue(
        new CountedTcpConnector(new Server(), "127.0.0.1", 0, new Wire(), new ReentrantLock(), http)
            .getAcceptedTcpNoDelay());
  }
}
