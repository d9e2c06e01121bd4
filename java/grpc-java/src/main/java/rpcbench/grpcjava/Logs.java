package rpcbench.grpcjava;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps the libraries from logging what calls report anyway, or what can't be changed: a stack trace for each stream of a lost
 * connection, for each message above a server's limit and for each socket that a server closes; a line for each message after the
 * end of its stream; and a warning that Unix sockets lack SO_KEEPALIVE. Errors are still logged.
 */
final class Logs {
  /** Referenced, because a logger that is garbage-collected loses its level. */
  private static final List<Logger> QUIET = List.of(
      Logger.getLogger("io.grpc.internal.AbstractClientStream"),
      Logger.getLogger("io.grpc.netty.NettyServerHandler"),
      Logger.getLogger("io.grpc.netty.NettyServerStream"),
      Logger.getLogger("io.grpc.netty.TcpMetrics"),
      Logger.getLogger("io.grpc.okhttp.OkHttpServerTransport"),
      Logger.getLogger("io.netty.bootstrap"));

  private Logs() {}

  static void quieten() {
    QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
  }
}
