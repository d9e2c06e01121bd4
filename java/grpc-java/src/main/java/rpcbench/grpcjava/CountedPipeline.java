package rpcbench.grpcjava;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Wire;

/** Counts a socket and its bytes at the head of a Netty pipeline, which is below TLS. Only its event loop calls it. */
final class CountedPipeline extends ChannelDuplexHandler {
  private final Wire wire;
  private long written; // and not flushed yet

  private CountedPipeline(Wire wire) {
    this.wire = wire;
  }

  /** Makes a client's sockets that are counted, and, where they are to have TLS, tell of their handshake. */
  static ChannelFactory<Channel> sockets(Transport transport, boolean unix, Wire wire, boolean tls) {
    return () -> {
      Channel socket = transport.socket(unix);
      if (tls) {
        socket.pipeline().addFirst(new Handshake(wire));
      }
      socket.pipeline().addFirst(new CountedPipeline(wire));
      return socket;
    };
  }

  /** Makes listeners whose accepted sockets are counted, and bounded. */
  static ChannelFactory<ServerChannel> listeners(Transport transport, boolean unix, Wire wire, ServerLimits limits) {
    return () -> {
      ServerChannel listener = transport.listener(unix);
      listener.pipeline().addFirst(new Admission(limits), accepting(wire));
      return listener;
    };
  }

  private static ChannelHandler accepting(Wire wire) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object accepted) {
        ((Channel) accepted).pipeline().addFirst(new CountedPipeline(wire));
        context.fireChannelRead(accepted);
      }
    };
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
