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
import java.util.function.BiFunction;
import java.util.function.Function;

/** The kinds of sockets that Netty uses. Only epoll has Unix sockets. */
enum Transport {
  NIO(NioEventLoopGroup::new, unix -> new NioSocketChannel(), unix -> new NioServerSocketChannel()),
  EPOLL(
      EpollEventLoopGroup::new,
      unix -> unix ? new EpollDomainSocketChannel() : new EpollSocketChannel(),
      unix -> unix ? new EpollServerDomainSocketChannel() : new EpollServerSocketChannel());

  private final BiFunction<Integer, ThreadFactory, EventLoopGroup> loops;
  private final Function<Boolean, Channel> sockets;
  private final Function<Boolean, ServerChannel> listeners;

  Transport(
      BiFunction<Integer, ThreadFactory, EventLoopGroup> loops,
      Function<Boolean, Channel> sockets,
      Function<Boolean, ServerChannel> listeners) {
    this.loops = loops;
    this.sockets = sockets;
    this.listeners = listeners;
  }

  boolean available() {
    return this == NIO || Epoll.isAvailable();
  }

  EventLoopGroup loops(int threads, ThreadFactory factory) {
    return loops.apply(threads, factory);
  }

  Channel socket(boolean unix) {
    return sockets.apply(unix);
  }

  ServerChannel listener(boolean unix) {
    return listeners.apply(unix);
  }

  static Transport best() {
    return EPOLL.available() ? EPOLL : NIO;
  }

  /** Returns the names of the transports that this platform has, the best first. */
  static List<String> words() {
    return best() == EPOLL ? List.of(EPOLL.word(), NIO.word()) : List.of(NIO.word());
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
