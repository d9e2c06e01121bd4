package rpcbench.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import rpcbench.stack.Wire;

/**
 * Reports the end of a client's TLS handshake. Libraries don't pass that event on, but the TLS handler, whose future can be
 * asked, is in the pipeline when the first bytes are written. Then this handler leaves the pipeline.
 */
final class Handshake extends ChannelOutboundHandlerAdapter {
  private final Wire wire;

  Handshake(Wire wire) {
    this.wire = wire;
  }

  @Override
  public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
    SslHandler tls = context.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.handshakeFuture().addListener(done -> {
        if (done.isSuccess()) {
          wire.secured();
        }
      });
    }
    context.write(bytes, promise);
    context.pipeline().remove(this);
  }
}
