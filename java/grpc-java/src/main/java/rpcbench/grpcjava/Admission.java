package rpcbench.grpcjava;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;
import rpcbench.stack.ServerLimits;

/** Closes connections that a listener accepts beyond its limit. */
final class Admission extends ChannelInboundHandlerAdapter {
  private final ServerLimits limits;
  private final AtomicInteger open = new AtomicInteger();

  Admission(ServerLimits limits) {
    this.limits = limits;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    Channel socket = (Channel) accepted;
    if (open.incrementAndGet() > limits.connections() && limits.connections() > 0) {
      open.decrementAndGet();
      socket.unsafe().closeForcibly();
      return;
    }
    socket.closeFuture().addListener(closed -> open.decrementAndGet());
    context.fireChannelRead(accepted);
  }
}
