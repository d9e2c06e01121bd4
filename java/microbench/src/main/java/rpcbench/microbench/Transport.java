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

/** How a client and a server reach each other, by the names of grpc-java's own benchmarks. */
public enum Transport {
  /** gRPC's in-process transport, in memory, without HTTP/2. */
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
    // Referenced, because a logger that is garbage-collected loses its level.
    private final Logger bootstrap = Logger.getLogger("io.netty.bootstrap");

    @Override
    Ends ends(int windowBytes) {
      bootstrap.setLevel(Level.SEVERE); // it would warn for every channel that memory has no SO_KEEPALIVE
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

  /** Netty's value for its default number of threads, two per processor. */
  private static final int THREADS_DEFAULT = 0;

  /**
   * Creates the two ends.
   *
   * @param windowBytes the flow-control window of each stream and connection; 0 is the transport's default; INPROCESS has
   *     none
   * @throws IllegalStateException if this machine does not have the transport
   */
  abstract Ends ends(int windowBytes);

  private static ThreadFactory threads() {
    return new DefaultThreadFactory("microbench", true);
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
