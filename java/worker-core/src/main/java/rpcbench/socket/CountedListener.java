package rpcbench.socket;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Wire;

/**
 * Accepts sockets that are counted, and closes those that exceed a server's {@link ServerLimits}, for libraries that take a
 * ServerSocketFactory. TLS is layered on the sockets; {@link #ready} reports the end of its handshake.
 */
public final class CountedListener extends ServerSocket {
  /** The number of checks of a socket during its idle limit. */
  private static final int LOOKS = 8;

  private final ServerLimits limits;
  private final long leastBytes;
  private final Wire wire;
  private final Map<SocketAddress, Accepted> sockets = new ConcurrentHashMap<>(); // by the client's address
  private final ScheduledThreadPoolExecutor timer;

  /** Takes how many bytes a client sends at the least before its first headers, however it calls. */
  public CountedListener(ServeConfig config, long leastBytes) throws IOException {
    this.limits = config.limits();
    this.leastBytes = leastBytes;
    this.wire = new Wire(config.wire());
    this.timer = limits.headerNs() > 0 || limits.idleNs() > 0 ? timer() : null;
  }

  /** Its thread ends when no socket is open any more. */
  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
      Thread thread = new Thread(task, "listener-timer");
      thread.setDaemon(true);
      return thread;
    });
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    return timer;
  }

  private final class Accepted extends CountedSocket {
    private final Wire own;
    private volatile boolean ready;
    private long moved; // bytes; used only by the timer's thread, as looks
    private int looks = -1; // since a byte came or went

    Accepted(Wire own) {
      super(own);
      this.own = own;
    }

    void checkHeader() {
      if (!ready || own.bytesIn() < leastBytes) {
        end();
      }
    }

    void checkIdle() {
      if (isClosed()) {
        return;
      }
      long now = own.bytesIn() + own.bytesOut();
      looks = now == moved ? looks + 1 : 0;
      moved = now;
      if (looks == LOOKS) {
        end();
      } else {
        timer.schedule(this::checkIdle, limits.idleNs() / LOOKS, TimeUnit.NANOSECONDS);
      }
    }

    private void end() {
      try {
        close();
      } catch (IOException e) { // it is closed all the same
      }
    }

    @Override
    public void close() throws IOException {
      sockets.remove(getRemoteSocketAddress(), this);
      super.close();
    }
  }

  @Override
  public Socket accept() throws IOException {
    while (true) {
      Accepted socket = new Accepted(new Wire(wire));
      implAccept(socket);
      if (limits.connections() == 0 || wire.socketsOpen() < limits.connections()) {
        admit(socket);
        return socket;
      }
      socket.end();
    }
  }

  private void admit(Accepted socket) {
    sockets.put(socket.getRemoteSocketAddress(), socket);
    socket.accepted();
    if (limits.headerNs() > 0) {
      timer.schedule(socket::checkHeader, limits.headerNs(), TimeUnit.NANOSECONDS);
    }
    if (limits.idleNs() > 0) {
      socket.checkIdle();
    }
  }

  /** Is called when a client's connection can carry calls. */
  public void ready(SocketAddress client) {
    Accepted socket = sockets.get(client);
    if (socket != null) {
      socket.ready = true;
    }
  }
}
