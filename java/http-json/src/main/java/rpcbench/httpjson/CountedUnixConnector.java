package rpcbench.httpjson;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;

/** Accepts connections on a Unix socket, and counts them. */
final class CountedUnixConnector extends UnixDomainServerConnector {
  private final Admission admission;
  private final Lock accepting;

  /** Creates the connector. A thread holds the lock while it waits for a connection. */
  CountedUnixConnector(Server jetty, Path path, Admission admission, Lock accepting, ConnectionFactory[] protocols) {
    super(jetty, protocols);
    this.admission = admission;
    this.accepting = accepting;
    setUnixDomainPath(path);
  }

  @Override
  protected void accept(int acceptor) throws IOException {
    accepting.lock();
    try {
      super.accept(acceptor);
    } finally {
      accepting.unlock();
    }
  }

  @Override
  protected SelectorManager newSelectorManager(Executor executor, Scheduler scheduler, int selectors) {
    return new UnixDomainSelectorManager(executor, scheduler, selectors) {
      @Override
      protected EndPoint newEndPoint(SelectableChannel channel, ManagedSelector selector, SelectionKey key) {
        EndPoint made = new CountedEndPoint((SocketChannel) channel, selector, key, getScheduler(), admission);
        made.setIdleTimeout(getIdleTimeout());
        return made;
      }
    };
  }
}
