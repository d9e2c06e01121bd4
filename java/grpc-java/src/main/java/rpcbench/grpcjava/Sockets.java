package rpcbench.grpcjava;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import rpcbench.netty.CountedPipeline;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Wire;

/** Creates counted sockets. */
final class Sockets {
  private Sockets() {}

  /** Returns a factory of a client's sockets. */
  static ChannelFactory<Channel> of(Transport transport, boolean unix, Wire wire, boolean tls) {
    return () -> {
      Channel socket = transport.socket(unix);
      CountedPipeline.count(socket.pipeline(), wire, tls);
      return socket;
    };
  }

  /** Returns a factory of listeners whose accepted sockets are counted and limited. */
  static ChannelFactory<ServerChannel> listeners(Transport transport, boolean unix, Wire wire, ServerLimits limits) {
    return () -> {
      ServerChannel listener = transport.listener(unix);
      listener.pipeline().addFirst(new Admission(limits), accepting(wire, limits));
      return listener;
    };
  }

  private static ChannelHandler accepting(Wire wire, ServerLimits limits) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object accepted) {
        CountedPipeline.count(((Channel) accepted).pipeline(), wire, limits);
        context.fireChannelRead(accepted);
      }
    };
  }
}
