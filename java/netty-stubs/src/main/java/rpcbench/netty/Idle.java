package rpcbench.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.concurrent.TimeUnit;

/** Closes a connection that neither sends nor receives for a time. */
final class Idle extends IdleStateHandler {
  Idle(long ns) {
    super(true, 0, 0, ns, TimeUnit.NANOSECONDS);
  }

  @Override
  protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
    context.close();
  }
}
