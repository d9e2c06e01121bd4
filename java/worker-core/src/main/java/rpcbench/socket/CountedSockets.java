package rpcbench.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;
import rpcbench.stack.Wire;

/** Creates sockets that are counted, with their bytes. TLS is layered on top. */
public final class CountedSockets extends SocketFactory {
  private final Wire wire;

  public CountedSockets(Wire wire) {
    this.wire = wire;
  }

  @Override
  public Socket createSocket() {
    return new CountedSocket(wire);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return open(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
    return open(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return open(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
    return open(new InetSocketAddress(host, port), new InetSocketAddress(from, fromPort));
  }

  private Socket open(SocketAddress to, SocketAddress from) throws IOException {
    Socket socket = createSocket();
    try {
      if (from != null) {
        socket.bind(from);
      }
      socket.connect(to);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
