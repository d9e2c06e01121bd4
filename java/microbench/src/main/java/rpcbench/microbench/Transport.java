package rpcbench.microbench;

import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How a client and a server reach each other, by the names that grpc-java's own benchmarks have. */
public enum Transport {
  /** gRPC's own, in memory, without HTTP/2. */
  INPROCESS {
    @Override
    Ends ends(int windowBytes) {
      String name = InProcessServerBuilder.generateName();
      return new Ends(InProcessServerBuilder.forName(name), server -> InProcessChannelBuilder.forName(name), () -> {});
    }
  },

  /** Netty's NIO over TCP. */
  NETTY {
    @Override
    Ends ends(int windowBytes) {
      return new NettyEnds(
          new NioEventLoopGroup(THREADS_DEFAULT, threads()),
          NioServerSocketChannel.class, NioSocketChannel.class, loopback(), windowBytes).ends();
    }
  },

  /** Netty's epoll over TCP, on Linux. */
  NETTY_EPOLL {
    @Override
    Ends ends(int windowBytes) {
      if (!Epoll.isAvailable()) {
        throw new IllegalStateException("NETTY_EPOLL: this machine has no epoll", Epoll.unavailabilityCause());
      }
      return new NettyEnds(
          new EpollEventLoopGroup(THREADS_DEFAULT, threads()),
          EpollServerSocketChannel.class, EpollSocketChannel.class, loopback(), windowBytes).ends();
    }
  },

  /** HTTP/2 by Netty, in memory. */
  NETTY_LOCAL {
    // Kept, as the logger would be collected and its level with it.
    private final Logger bootstrap = Logger.getLogger("io.netty.bootstrap");

    @Override
    Ends ends(int windowBytes) {
      bootstrap.setLevel(Level.SEVERE); // it would warn of every channel that there is no SO_KEEPALIVE in memory
      return new NettyEnds(
          new DefaultEventLoopGroup(THREADS_DEFAULT, threads()),
          LocalServerChannel.class, LocalChannel.class, LocalAddress.ANY, windowBytes).ends();
    }
  },

  /** OkHttp's HTTP/2 on both sides, over TCP. */
  OKHTTP {
    @Override
    Ends ends(int windowBytes) {
      OkHttpServerBuilder server = OkHttpServerBuilder.forPort(loopback(), InsecureServerCredentials.create());
      server = windowBytes > 0 ? server.flowControlWindow(windowBytes) : server;
      return new Ends(server, at -> channel(at, windowBytes), () -> {});
    }

    private static ManagedChannelBuilder<?> channel(Server server, int windowBytes) {
      String host = loopback().getHostString();
      OkHttpChannelBuilder builder = OkHttpChannelBuilder.forAddress(host, server.getPort()).usePlaintext();
      return windowBytes > 0 ? builder.flowControlWindow(windowBytes) : builder;
    }
  };

  /** Netty's word for its own number of threads, twice that of the processors. */
  private static final int THREADS_DEFAULT = 0;

  /**
   * Makes the two ends.
   *
   * @param windowBytes the flow-control window of each stream and connection, or 0 for the transport's own; INPROCESS
   *     has none
   * @throws IllegalStateException if this machine doesn't have the transport
   */
  abstract Ends ends(int windowBytes);

  private static ThreadFactory threads() {
    return new DefaultThreadFactory("microbench", true);
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
