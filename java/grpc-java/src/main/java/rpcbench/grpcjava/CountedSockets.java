package rpcbench.grpcjava;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.SocketFactory;
import rpcbench.stack.Wire;

/** Makes sockets that are counted with their bytes. TLS is layered upon them. */
final class CountedSockets extends SocketFactory {
  private final Wire wire;

  CountedSockets(Wire wire) {
    this.wire = wire;
  }

  @Override
  public Socket createSocket() {
    return new Counted(wire);
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

  private static final class Counted extends Socket {
    private final Wire wire;
    private final AtomicBoolean open = new AtomicBoolean();

    Counted(Wire wire) {
      this.wire = wire;
    }

    @Override
    public void connect(SocketAddress to, int timeoutMs) throws IOException {
      super.connect(to, timeoutMs);
      open.set(true);
      wire.opened();
    }

    @Override
    public void close() throws IOException {
      if (open.getAndSet(false)) {
        wire.closed();
      }
      super.close();
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new Received(super.getInputStream(), wire);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new Sent(super.getOutputStream(), wire);
    }
  }

  private static final class Received extends FilterInputStream {
    private final Wire wire;

    Received(InputStream in, Wire wire) {
      super(in);
      this.wire = wire;
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      if (value >= 0) {
        wire.received(1);
      }
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      if (count > 0) {
        wire.received(count);
      }
      return count;
    }
  }

  private static final class Sent extends FilterOutputStream {
    private final Wire wire;

    Sent(OutputStream out, Wire wire) {
      super(out);
      this.wire = wire;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      wire.sent(1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      wire.sent(length);
    }
  }
}
