package rpcbench.grpcjava;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import rpcbench.socket.CountedSocket;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Wire;

/**
 * The listener of an OkHttp server, which has no limits of its own for connections: it counts what it accepts, and closes
 * the connections beyond their number, those on which nothing moves, and, told of calls as their interceptor, those that
 * have made none in time.
 */
final class OkHttpListener extends ServerSocketFactory implements ServerInterceptor {
  private final Wire wire;
  private final ServerLimits limits;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<SocketAddress, Accepted> silent = new ConcurrentHashMap<>(); // no call has come, by the client
  private final ScheduledExecutorService timer; // null without limits of time

  OkHttpListener(Wire wire, ServerLimits limits) {
    this.wire = wire;
    this.limits = limits;
    this.timer = limits.headerNs() > 0 || limits.idleNs() > 0
        ? Executors.newSingleThreadScheduledExecutor(work -> {
          Thread thread = new Thread(work, "rpcbench-limits");
          thread.setDaemon(true);
          return thread;
        })
        : null;
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return createServerSocket(port, 0, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    return createServerSocket(port, backlog, null);
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
    ServerSocket socket = createServerSocket();
    socket.bind(new java.net.InetSocketAddress(address, port), backlog);
    return socket;
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new ServerSocket() {
      @Override
      public Socket accept() throws IOException {
        while (true) {
          Accepted socket = new Accepted();
          implAccept(socket);
          if (socket.admitted()) {
            return socket;
          }
          socket.close();
        }
      }
    };
  }

  @Override
  public <A, B> ServerCall.Listener<A> interceptCall(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    if (!silent.isEmpty()) {
      silent.remove(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    }
    return next.startCall(call, headers);
  }

  /** A connection of a client. */
  private final class Accepted extends CountedSocket {
    private boolean counted; // guarded by this

    Accepted() {
      super(wire);
    }

    /** Counts it, and tells whether it may stay. */
    private synchronized boolean admitted() {
      counted = true;
      if (open.incrementAndGet() > limits.connections() && limits.connections() > 0) {
        return false;
      }
      accepted();
      if (limits.headerNs() > 0) {
        silent.put(getRemoteSocketAddress(), this);
        timer.schedule(this::endSilent, limits.headerNs(), TimeUnit.NANOSECONDS);
      }
      if (limits.idleNs() > 0) {
        watch(moved());
      }
      return true;
    }

    private void endSilent() {
      if (silent.remove(getRemoteSocketAddress(), this)) {
        end();
      }
    }

    /** Closes it where no byte has moved in a while. */
    private void watch(long before) {
      timer.schedule(
          () -> {
            if (isClosed()) {
              return;
            }
            long now = moved();
            if (now == before) {
              end();
            } else {
              watch(now);
            }
          },
          limits.idleNs(),
          TimeUnit.NANOSECONDS);
    }

    private void end() {
      try {
        close();
      } catch (IOException e) { // it is closed, as far as it can be
      }
    }

    @Override
    public void close() throws IOException {
      synchronized (this) {
        if (counted) {
          counted = false;
          open.decrementAndGet();
          silent.remove(getRemoteSocketAddress(), this);
        }
      }
      super.close();
    }
  }
}
