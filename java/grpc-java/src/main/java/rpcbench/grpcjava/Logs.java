package rpcbench.grpcjava;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps the libraries from logging what calls report anyway, or what nobody can change: a stack trace for each stream
 * of a lost connection, a line for each message that comes after a stream was left, a warning for each Unix socket
 * that it has no SO_KEEPALIVE, a stack trace for each message above a server's limit, and for each socket that a server
 * closes. Their errors still are logged.
 */
final class Logs {
  /** Held, because a logger that nobody holds forgets its level. */
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
