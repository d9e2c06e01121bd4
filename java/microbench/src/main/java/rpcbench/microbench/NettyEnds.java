package rpcbench.microbench;

import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Netty on both sides. They share the event loops, as a client and a server in one process do by default.
 *
 * @param windowBytes 0 for gRPC's default
 */
record NettyEnds(
    EventLoopGroup loops,
    Class<? extends ServerChannel> listenerType,
    Class<? extends Channel> socketType,
    SocketAddress address,
    int windowBytes) {

  Ends ends() {
    NettyServerBuilder server = NettyServerBuilder.forAddress(address)
        .channelType(listenerType)
        .bossEventLoopGroup(loops)
        .workerEventLoopGroup(loops);
    return new Ends(windowBytes > 0 ? server.flowControlWindow(windowBytes) : server, this::channel, this::close);
  }

  private ManagedChannelBuilder<?> channel(Server server) {
    SocketAddress listening = server.getListenSockets().get(0);
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(listening)
        .channelType(socketType, listening.getClass())
        .eventLoopGroup(loops)
        .usePlaintext();
    return windowBytes > 0 ? builder.flowControlWindow(windowBytes) : builder;
  }

  private void close() throws InterruptedException {
    loops.shutdownGracefully(0, Link.CLOSE_SECONDS, TimeUnit.SECONDS).await(Link.CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
