package rpcbench.worker;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;

/**
 * A stack whose servers and clients find one another in this JVM's memory. Its client's option "reply" says what comes
 * of a call: "right", "wrong" (bytes of the right length), "short", "never" (until it is cancelled), "behind" (right, and
 * for each unary call a call of another kind has ended before on its connection).
 */
final class EchoStack implements Stack {
  /** A server's option "threads" for which there is no memory. */
  static final String TOO_MANY_THREADS = "9";

  private static final Map<String, ServeConfig> SERVERS = new ConcurrentHashMap<>();
  private static final AtomicInteger PORTS = new AtomicInteger();
  private static final ExecutorService REPLIES = Executors.newCachedThreadPool(EchoStack::thread);

  private final Info info;

  private EchoStack(String name, boolean multiplexed, List<String> kinds) {
    info =
        new Info(
            name, "memory", "echo 1.0", true, true, kinds, List.of("tcp", "inproc"), List.of("plaintext", "tls", "mtls"),
            List.of("none", "gzip"), multiplexed,
            List.of(
                new Info.Option("reply", "What comes of a call, right by default.", true, false),
                Info.Option.number("threads", "Threads of the server.", false, true, 1, 9, "1")),
            List.of(), List.of(), false);
  }

  /** One that can all kinds over a shared connection. */
  static EchoStack multiplexed() {
    List<String> kinds =
        List.of(
            Kind.CONNECT, Kind.FIRST_CALL, Kind.UNARY, Kind.STREAM, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD,
            Kind.DOWNLOAD);
    return new EchoStack("echo", true, kinds);
  }

  /** One with a socket for each slot, which the first call opens. */
  static EchoStack single() {
    return new EchoStack("echo-single", false, List.of(Kind.FIRST_CALL, Kind.UNARY));
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "echo");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public Info info() {
    return info;
  }

  @Override
  public Server serve(ServeConfig config) {
    if (TOO_MANY_THREADS.equals(config.options().get("threads"))) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    String address = "127.0.0.1:" + PORTS.incrementAndGet();
    SERVERS.put(address, config);
    return new Server() {
      @Override
      public String address() {
        return address;
      }

      @Override
      public void stop(long graceNs) {
        SERVERS.remove(address);
      }
    };
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    if ("unreadable".equals(config.options().get("reply"))) {
      throw new IllegalArgumentException("reply is \"unreadable\"");
    }
    if (info.multiplexed()) {
      server(config);
      config.wire().opened();
    }
    return new EchoConn(config);
  }

  private static ServeConfig server(DialConfig config) throws CallException {
    ServeConfig server = SERVERS.get(config.address());
    if (server == null) {
      throw new CallException(Code.UNAVAILABLE, "nobody listens at " + config.address());
    }
    return server;
  }

  private final class EchoConn implements Conn {
    private final DialConfig config;
    private final Semaphore ahead = new Semaphore(0); // calls of other kinds than unary that have ended
    private int sockets = info.multiplexed() ? 1 : 0;

    EchoConn(DialConfig config) {
      this.config = config;
    }

    @Override
    public Caller caller(Call call, int slot) {
      return new EchoCaller(this, call);
    }

    synchronized void connect() {
      if (!info.multiplexed()) {
        config.wire().opened();
        sockets++;
      }
    }

    @Override
    public synchronized void close() {
      for (; sockets > 0; sockets--) {
        config.wire().closed();
      }
    }
  }

  private static final class EchoCaller implements Caller {
    private final EchoConn conn;
    private final Call call;
    private boolean connected;
    private byte[] reply;
    private Done waiting; // of a call that is never answered

    EchoCaller(EchoConn conn, Call call) {
      this.conn = conn;
      this.call = call;
    }

    @Override
    public void start(Done done) {
      reply = null;
      switch (conn.config.options().getOrDefault("reply", "right")) {
        case "never" -> {
          synchronized (this) {
            waiting = done;
          }
        }
        case "behind" -> REPLIES.execute(() -> answerBehind(done));
        default -> REPLIES.execute(() -> done.done(answer()));
      }
    }

    private void answerBehind(Done done) {
      boolean unary = call.kind().equals(Kind.UNARY);
      if (unary) {
        conn.ahead.acquireUninterruptibly();
      }
      done.done(answer());
      if (!unary) {
        conn.ahead.release();
      }
    }

    private CallException answer() {
      try {
        ServeConfig server = server(conn.config);
        String refusal = server.authorize() == null ? null : server.authorize().refusal(certificate());
        if (refusal != null) {
          return new CallException(Code.PERMISSION_DENIED, refusal);
        }
        if (!connected) {
          connected = true;
          conn.connect();
        }
        reply = reply(server);
        conn.config.wire().sent(call.request().length);
        conn.config.wire().received(reply.length);
        return null;
      } catch (CallException e) {
        return e;
      }
    }

    private X509Certificate certificate() {
      return conn.config.tls() == null ? null : conn.config.tls().certificate();
    }

    private byte[] reply(ServeConfig server) {
      String option = conn.config.options().getOrDefault("reply", "right");
      return switch (option) {
        case "wrong" -> new byte[call.responseBytes()];
        case "short" -> new byte[call.responseBytes() - 1];
        default ->
            call.request().length == call.responseBytes() ? call.request() : server.reply().apply(call.responseBytes());
      };
    }

    @Override
    public void cancel() {
      Done cut;
      synchronized (this) {
        cut = waiting;
        waiting = null;
      }
      if (cut != null) {
        cut.done(new CallException(Code.CANCELLED, "it was cancelled"));
      }
    }

    @Override
    public void late() {}

    @Override
    public CallException after() {
      String wrong = reply == null ? null : call.check().wrong(ByteBuffer.wrap(reply));
      return wrong == null ? null : new CallException(Code.MISMATCH, wrong);
    }
  }
}
