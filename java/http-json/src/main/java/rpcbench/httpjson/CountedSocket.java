package rpcbench.httpjson;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import rpcbench.stack.Wire;

/** A TCP socket that is counted, and goes through no proxy. */
final class CountedSocket extends Socket {
  private final Meter meter;
  private InputStream in;
  private OutputStream out;

  CountedSocket(Wire wire) {
    super(Proxy.NO_PROXY);
    meter = new Meter(wire);
  }

  @Override
  public void connect(SocketAddress endpoint, int timeoutMs) throws IOException {
    super.connect(endpoint, timeoutMs);
    setTcpNoDelay(true);
    meter.connected();
    if (isClosed()) { // meanwhile, by a cancelled call
      meter.closed();
    }
  }

  @Override
  public synchronized InputStream getInputStream() throws IOException {
    if (in == null) {
      in = meter.count(super.getInputStream());
    }
    return in;
  }

  @Override
  public synchronized OutputStream getOutputStream() throws IOException {
    if (out == null) {
      out = meter.count(super.getOutputStream());
    }
    return out;
  }

  @Override
  public void close() throws IOException {
    meter.closed();
    super.close();
  }
}
