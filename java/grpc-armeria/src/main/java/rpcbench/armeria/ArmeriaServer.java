package rpcbench.armeria;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import rpcbench.stack.Address;
import rpcbench.stack.Server;

/** A running server. */
final class ArmeriaServer implements Server {
  private final com.linecorp.armeria.server.Server server;
  private final Grace grace;

  /** The time that a stop waits for calls, which is known only when it is called. */
  static final class Grace implements GracefulShutdown {
    private static final Duration QUIET = Duration.ofMillis(1); // without a call; with 0 it would not wait at all

    private volatile Duration timeout = QUIET;

    @Override
    public Duration quietPeriod() {
      return QUIET;
    }

    @Override
    public Duration timeout() {
      return timeout;
    }

    @Override
    public Throwable toException(ServiceRequestContext context, HttpRequest request) {
      return GracefulShutdown.disabled().toException(context, request);
    }
  }

  private ArmeriaServer(com.linecorp.armeria.server.Server server, Grace grace) {
    this.server = server;
    this.grace = grace;
  }

  /** Starts a server that was built with this grace. */
  static ArmeriaServer start(com.linecorp.armeria.server.Server server, Grace grace) throws Exception {
    try {
      server.start().join();
    } catch (CompletionException e) {
      server.close();
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    return new ArmeriaServer(server, grace);
  }

  @Override
  public String address() {
    return Address.format((InetSocketAddress) server.activePort().localAddress());
  }

  @Override
  public void stop(long graceNs) {
    grace.timeout = Duration.ofNanos(Math.max(graceNs, Grace.QUIET.toNanos()));
    server.stop().join();
  }
}
