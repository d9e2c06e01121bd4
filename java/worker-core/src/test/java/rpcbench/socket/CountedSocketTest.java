package rpcbench.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Wire;

class CountedSocketTest {
  private final Wire wire = new Wire();

  private Socket connected(ServerSocket listener) throws Exception {
    return new CountedSockets(wire).createSocket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
  }

  private static ServerSocket listener() throws Exception {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void socketsAndBytesAreCountedEachWay() throws Exception {
    try (ServerSocket listener = listener();
        Socket client = connected(listener);
        Socket server = listener.accept()) {
      client.getOutputStream().write(7);
      client.getOutputStream().write(new byte[10], 2, 5);
      assertEquals(6, server.getInputStream().readNBytes(6).length);
      server.getOutputStream().write(new byte[9]);
      assertEquals(0, client.getInputStream().read());
      assertEquals(3, client.getInputStream().skip(3));
      assertEquals(5, client.getInputStream().readNBytes(5).length);
      assertEquals(6, wire.bytesOut());
      assertEquals(9, wire.bytesIn());
      assertEquals(1, wire.socketsOpen());
      client.close();
      client.close();
      assertEquals(0, wire.socketsOpen());
      assertEquals(1, wire.socketsOpened());
    }
  }

  @Test
  void aStreamIsTheSameWheneverItIsAskedFor() throws Exception {
    try (ServerSocket listener = listener();
        Socket client = connected(listener)) {
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      assertEquals(in, client.getInputStream());
      assertEquals(out, client.getOutputStream());
    }
  }

  /** Measures what programs get that leave the socket to their library. */
  @Test
  void whetherToSendWithoutDelayIsTheLibrarysChoice() throws Exception {
    try (ServerSocket listener = listener();
        Socket client = connected(listener)) {
      assertFalse(client.getTcpNoDelay());
    }
  }
}
