package rpcbench.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import rpcbench.stack.Wire;

/** A counted TCP socket that uses no proxy. */
public class CountedSocket extends Socket {
  private final Meter meter;

  public CountedSocket(Wire wire) {
    super(Proxy.NO_PROXY);
    meter = new Meter(wire);
  }

  @Override
  public void connect(SocketAddress endpoint, int timeoutMs) throws IOException {
    super.connect(endpoint, timeoutMs);
    meter.connected(this);
  }

  /** Is called by the listener that has accepted the socket. */
  final void accepted() {
    meter.connected(this);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return meter.in(super::getInputStream);
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return meter.out(super::getOutputStream);
  }

  @Override
  public void close() throws IOException {
    meter.closed();
    super.close();
  }
}
