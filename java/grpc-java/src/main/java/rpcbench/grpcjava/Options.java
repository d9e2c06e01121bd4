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
  private static final String TRANSPORT = "transport";
  private static final String DIRECT = "direct_executor";
  private static final String EXECUTOR = "executor_threads";
  private static final String WINDOW = "flow_control_window_bytes";
  private static final String OWN_LOOPS = "event_loop_group_per_channel";
  private static final String KEEPALIVE = "keepalive_time_ms";

  /** A server closes the connections of clients that ping more often. Ours may do so every Limits.KEEPALIVE_MS_MIN. */
  private static final long PERMITTED_PING_MS = Limits.KEEPALIVE_MS_MIN / 2;

  private static final int THREADS_MAX = 1 << 12;

  static final Info.Option TRANSPORT_OPTION = new Info.Option(
      TRANSPORT, "nio or epoll; default " + Transport.best().word() + ", the best on this platform.", true, true);
  static final Info.Option DIRECT_OPTION = new Info.Option(
      DIRECT, "true runs callbacks on the event loops, false hands them to an executor; default false.", true, true);
  static final Info.Option OWN_LOOPS_OPTION = new Info.Option(
      OWN_LOOPS, "true gives each channel its own event_loop_threads, false shares them; default false.", true, false);

  static Info.Option executor(boolean server) {
    String help = "Threads of a fork-join pool for callbacks, as in gRPC's own benchmarks; "
        + "default a pool that grows, as gRPC has.";
    return new Info.Option(EXECUTOR, help, true, server);
  }

  static Info.Option window(boolean server, String standard) {
    String help = "Flow-control window of connections and streams, in bytes; default " + standard + ".";
    return new Info.Option(WINDOW, help, true, server);
  }

  static Info.Option keepAlive(boolean server) {
    String help = "Milliseconds without a byte before a ping, at least " + Limits.KEEPALIVE_MS_MIN
        + "; default none on a client, 7200000 on a server.";
    return new Info.Option(KEEPALIVE, help, true, server);
  }

  /** Reads the options that are given. */
  static Options read(Map<String, String> given) throws CallException {
    OptionValues values = new OptionValues(given);
    Options options = new Options(
        transport(values.word(TRANSPORT, Transport.words())), values.flag(DIRECT),
        values.number(EXECUTOR, 1, THREADS_MAX, 0), values.number(WINDOW, 1, Integer.MAX_VALUE, 0),
        EventLoops.threads(given, 0), values.number(KEEPALIVE, Limits.KEEPALIVE_MS_MIN, Integer.MAX_VALUE, 0),
        values.flag(OWN_LOOPS), ClientOptions.read(given));
    if (options.direct && options.executorThreads > 0) {
      throw CallException.invalid("options " + DIRECT + " and " + EXECUTOR + " exclude each other");
    }
    return options;
  }

  private static Transport transport(String word) throws CallException {
    Transport transport = Transport.valueOf(word.toUpperCase(Locale.ROOT));
    if (!transport.available()) {
      throw CallException.invalid("option " + TRANSPORT + " is " + word + ", which this platform does not have");
    }
    return transport;
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
