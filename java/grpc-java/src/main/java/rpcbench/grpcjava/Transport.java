package rpcbench.grpcjava;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;

/** How Netty speaks to the system. Only epoll has Unix sockets. */
enum Transport {
  NIO {
    @Override
    boolean available() {
      return true;
    }

    @Override
    EventLoopGroup loops(int threads, ThreadFactory factory) {
      return new NioEventLoopGroup(threads, factory);
    }

    @Override
    Channel socket(boolean unix) {
      return new NioSocketChannel();
    }

    @Override
    ServerChannel listener(boolean unix) {
      return new NioServerSocketChannel();
    }
  },

  EPOLL {
    @Override
    boolean available() {
      return Epoll.isAvailable();
    }

    @Override
    EventLoopGroup loops(int threads, ThreadFactory factory) {
      return new EpollEventLoopGroup(threads, factory);
    }

    @Override
    Channel socket(boolean unix) {
      return unix ? new EpollDomainSocketChannel() : new EpollSocketChannel();
    }

    @Override
    ServerChannel listener(boolean unix) {
      return unix ? new EpollServerDomainSocketChannel() : new EpollServerSocketChannel();
    }
  };

  static Transport best() {
    return EPOLL.available() ? EPOLL : NIO;
  }

  /** The words for all of them, the best first. */
  static List<String> words() {
    return best() == EPOLL ? List.of(EPOLL.word(), NIO.word()) : List.of(NIO.word(), EPOLL.word());
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  abstract boolean available();

  abstract EventLoopGroup loops(int threads, ThreadFactory factory);

  abstract Channel socket(boolean unix);

  abstract ServerChannel listener(boolean unix);
}
