package rpcbench.httpjson;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.Lock;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import rpcbench.stack.Address;

/** Accepts TCP connections and counts them. Jetty sets TCP_NODELAY. */
final class CountedTcpConnector extends ServerConnector {
  private final Admission admission;
  private final Lock accepting;

  /** Creates the connector. A thread holds the lock while it waits for a connection. */
  CountedTcpConnector(
      Server jetty, Address address, Admission admission, Lock accepting, ConnectionFactory[] protocols) {
    super(jetty, protocols);
    this.admission = admission;
    this.accepting = accepting;
    setHost(address.host().isEmpty() ? null : address.host());
    setPort(address.port());
  }

  @Override
  public void accept(int acceptor) throws IOException {
    accepting.lock();
    try {
      super.accept(acceptor);
    } finally {
      accepting.unlock();
    }
  }

  @Override
  protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
    SocketChannelEndPoint made = new CountedEndPoint(channel, selector, key, getScheduler(), admission);
    made.setIdleTimeout(getIdleTimeout());
    return made;
  }
}
