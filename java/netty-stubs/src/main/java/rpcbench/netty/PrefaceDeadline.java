package rpcbench.netty;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.util.concurrent.TimeUnit;
import rpcbench.stack.ServerLimits;

/**
 * Limits the time that a client takes for the TLS handshake and the preface of HTTP/2, on servers whose library does not. Such a
 * server adds HTTP/2's handler to the pipeline once it has both.
 */
public final class PrefaceDeadline {
  private PrefaceDeadline() {}

  /** Closes an accepted socket that has no such handler after {@link ServerLimits#headerNs}. Without that limit it does nothing. */
  public static void set(Channel accepted, ServerLimits limits) {
    if (limits.headerNs() > 0) {
      accepted.eventLoop().schedule(() -> judge(accepted), limits.headerNs(), TimeUnit.NANOSECONDS);
    }
  }

  private static void judge(Channel accepted) {
    if (accepted.pipeline().get(Http2ConnectionHandler.class) == null) {
      accepted.close();
    }
  }
}
