package rpcbench.grpcjava;

import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import rpcbench.grpc.ClientOptions;
import rpcbench.grpc.Limits;
import rpcbench.netty.EventLoops;
import rpcbench.stack.CallException;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;

/**
 * The options of one side. Zero is the library's default.
 *
 * @param transport the kind of sockets that Netty uses
 * @param direct runs callbacks on the transport's threads
 * @param executorThreads the size of a fork-join pool for callbacks
 * @param ownLoops gives each channel of a client its own event loops
 * @param client the options of every gRPC client; on a server their defaults
 */
record Options(
    Transport transport, boolean direct, int executorThreads, int windowBytes, int loopThreads, int keepAliveMs,
    boolean ownLoops, ClientOptions client) {
  /** A server closes the connections of clients that ping more often. Ours may do so every Limits.KEEPALIVE_MS_MIN. */
  private static final long PERMITTED_PING_MS = Limits.KEEPALIVE_MS_MIN / 2;

  private static final int THREADS_MAX = 1 << 12;

  static final Info.Option TRANSPORT = Info.Option.word(
      "transport", "nio or epoll; the default is the best on this platform.", true, true, Transport.words());
  static final Info.Option DIRECT = Info.Option.flag(
      "direct_executor", "true runs callbacks on the event loops, false hands them to an executor.", true, true);
  static final Info.Option OWN_LOOPS = Info.Option.flag(
      "event_loop_group_per_channel", "true gives each channel its own event_loop_threads, false shares them.", true, false);

  static Info.Option executor(boolean server) {
    String help = "Threads of a fork-join pool for callbacks, as in gRPC's own benchmarks; "
        + "default a pool that grows, as gRPC has.";
    return Info.Option.number("executor_threads", help, true, server, 1, THREADS_MAX, "");
  }

  static Info.Option window(boolean server, String standard) {
    String help = "Flow-control window of connections and streams, in bytes; default " + standard + ".";
    return Info.Option.number("flow_control_window_bytes", help, true, server, 1, Integer.MAX_VALUE, "");
  }

  static Info.Option keepAlive(boolean server) {
    String help = "Milliseconds without a byte before a ping; default none on a client, 7200000 on a server.";
    return Info.Option.number("keepalive_time_ms", help, true, server, Limits.KEEPALIVE_MS_MIN, Integer.MAX_VALUE, "");
  }

  /** Reads the options that are given. */
  static Options read(Map<String, String> given) throws CallException {
    OptionValues values = new OptionValues(given);
    Options options = new Options(
        Transport.valueOf(values.word(TRANSPORT).toUpperCase(Locale.ROOT)), values.flag(DIRECT),
        values.number(executor(true), 0), values.number(window(true, ""), 0),
        EventLoops.threads(given, 0), values.number(keepAlive(true), 0),
        values.flag(OWN_LOOPS), ClientOptions.read(given));
    if (options.direct && options.executorThreads > 0) {
      throw CallException.invalid("options " + DIRECT.name() + " and " + executor(true).name() + " exclude each other");
    }
    return options;
  }

  /** Configures a channel of any transport that has sockets. */
  void configure(ManagedChannelBuilder<?> builder) {
    callBackOn(builder);
    if (keepAliveMs > 0) {
      builder.keepAliveTime(keepAliveMs, TimeUnit.MILLISECONDS);
    }
  }

  /** Sets the threads for callbacks. */
  void callBackOn(ManagedChannelBuilder<?> builder) {
    if (direct) {
      builder.directExecutor();
    } else if (executorThreads > 0) {
      builder.executor(Threads.pool(executorThreads));
    }
  }

  /** Configures a server of any transport that has sockets. */
  void configure(ServerBuilder<?> builder) {
    builder.permitKeepAliveTime(PERMITTED_PING_MS, TimeUnit.MILLISECONDS);
    answerOn(builder);
    if (keepAliveMs > 0) {
      builder.keepAliveTime(keepAliveMs, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Sets the threads that a server answers on. Without an option for its executor it uses a pool like gRPC's own: gRPC's TLS
   * server would take a reference to that one for each connection and never release it (ProtocolNegotiators.ServerTlsHandler).
   */
  void answerOn(ServerBuilder<?> builder) {
    if (direct) {
      builder.directExecutor();
    } else {
      builder.executor(Threads.pool(executorThreads));
    }
  }
}
