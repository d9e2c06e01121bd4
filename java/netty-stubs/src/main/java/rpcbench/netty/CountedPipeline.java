package rpcbench.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Wire;

/** Counts a socket and its bytes at the head of a Netty pipeline, below TLS. Only its event loop calls it. */
public final class CountedPipeline extends ChannelDuplexHandler {
  private final Wire wire;
  private long written; // not flushed yet

  private CountedPipeline(Wire wire) {
    this.wire = wire;
  }

  /** Counts a client's socket that is not connected yet. With tls it also reports the end of the handshake. */
  public static void count(ChannelPipeline client, Wire wire, boolean tls) {
    if (tls) {
      client.addFirst(new Handshake(wire));
    }
    client.addFirst(new CountedPipeline(wire));
  }

  /** Counts an accepted socket that is not registered yet, and closes it when it has been idle for too long. */
  public static void count(ChannelPipeline accepted, Wire wire, ServerLimits limits) {
    if (limits.idleNs() > 0) {
      accepted.addFirst(new Idle(limits.idleNs()));
    }
    accepted.addFirst(new CountedPipeline(wire));
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    wire.opened();
    context.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    wire.closed();
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    wire.received(((ByteBuf) bytes).readableBytes());
    context.fireChannelRead(bytes);
  }

  @Override
  public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
    written += ((ByteBuf) bytes).readableBytes();
    context.write(bytes, promise);
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    wire.sent(written);
    written = 0;
    context.flush();
  }
}
