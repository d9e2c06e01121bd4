package rpcbench.httpjson;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import rpcbench.credential.Keys;
import rpcbench.http.HttpJson;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.ServerLimits;

/** A running Jetty server. */
final class JettyServer implements rpcbench.stack.Server {
  /** Only a hang takes this long. A worker that exits does not wait for it. */
  private static final long ACCEPT_PATIENCE_S = 60;

  private final Server jetty;
  private final AbstractConnector connector;
  private final Lock accepting;
  private final UnaryHandler handler;
  private final String address;

  private JettyServer(
      Server jetty, AbstractConnector connector, Lock accepting, UnaryHandler handler, String address) {
    this.jetty = jetty;
    this.connector = connector;
    this.accepting = accepting;
    this.handler = handler;
    this.address = address;
  }

  /** Binds the address and serves; keys are null for plaintext. */
  static JettyServer start(ServeConfig config, Keys keys, int threads) throws Exception {
    QueuedThreadPool pool = new QueuedThreadPool(threads);
    pool.setDaemon(true);
    pool.setStopTimeout(0); // stop has already waited
    Server jetty = new Server(pool);
    UnaryHandler handler = new UnaryHandler(config);
    jetty.setHandler(handler);
    Lock accepting = new ReentrantLock();
    AbstractConnector connector = connector(jetty, config, accepting, protocols(config, keys));
    connector.setIdleTimeout(config.limits().idleMs()); // 0 is no limit: a connection outlasts the pause between two phases
    jetty.addConnector(connector);
    try {
      jetty.start();
    } catch (Exception e) {
      jetty.stop();
      throw e;
    }
    return new JettyServer(jetty, connector, accepting, handler, address(config, connector));
  }

  private static AbstractConnector connector(
      Server jetty, ServeConfig config, Lock accepting, ConnectionFactory[] protocols) throws CallException {
    String address = config.address();
    if (config.network().equals(HttpJson.UNIX)) {
      return new CountedUnixConnector(jetty, Path.of(address), new Admission(config), accepting, protocols);
    }
    return new CountedTcpConnector(jetty, Address.parse(address), new Admission(config), accepting, protocols);
  }

  private static ConnectionFactory[] protocols(ServeConfig config, Keys keys) {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setRequestHeaderSize(ServerLimits.HEADER_BYTES_MAX);
    configuration.addCustomizer(CountedEndPoint::began);
    HttpConnectionFactory http = new HttpConnectionFactory(configuration);
    if (keys == null) {
      return new ConnectionFactory[] {http};
    }
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(keys.context());
    tls.setNeedClientAuth(config.tls().mutual());
    configuration.addCustomizer(new SecureRequestCustomizer(false)); // clients dial IP addresses, which SNI excludes
    return new ConnectionFactory[] {new SslConnectionFactory(tls, http.getProtocol()), http};
  }

  private static String address(ServeConfig config, AbstractConnector connector) {
    if (!(connector instanceof NetworkConnector network)) {
      return config.address();
    }
    return config.address().substring(0, config.address().lastIndexOf(':') + 1) + network.getLocalPort();
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void stop(long graceNs) throws InterruptedException {
    endAccepting();
    handler.awaitIdle(graceNs);
    try {
      jetty.stop();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("Jetty did not stop: " + e.getMessage(), e);
    }
  }

  /**
   * Stops listening. Until a thread has returned from accept, the kernel still accepts connections. Jetty would accept one of
   * them after it has closed all others, and never close it.
   */
  private void endAccepting() throws InterruptedException {
    connector.shutdown(); // its result is ignored, because it also waits for idle connections
    if (connector instanceof NetworkConnector network) {
      network.close();
    }
    if (accepting.tryLock(ACCEPT_PATIENCE_S, TimeUnit.SECONDS)) {
      accepting.unlock();
    }
  }
}
