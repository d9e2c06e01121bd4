package rpcbench.httpjson;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port without a listener, which no other process can take meanwhile. */
final class DeadPort implements AutoCloseable {
  private final Socket holder = new Socket();

  /** 0 is any port. */
  DeadPort(int port) throws IOException {
    holder.setReuseAddress(true);
    holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  String address() {
    return "127.0.0.1:" + holder.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }
}
