package rpcbench.httpjson;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Kind;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Stack;
import rpcbench.stack.Store;
import rpcbench.stack.Tls;
import rpcbench.stack.Wire;

/** A server and its clients, with their counters, closed together. */
final class Rig implements AutoCloseable {
  final Wire serverWire = new Wire();
  final Wire clientWire = new Wire();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  ServeConfig.Authorize authorize;
  IntFunction<byte[]> reply = Rig::bytes;
  ServerLimits limits = ServerLimits.NONE;
  Store store;
  Tls serverTls;
  Tls clientTls;
  String address = "127.0.0.1:0";
  Map<String, String> options = Map.of();
  Server server;

  /** Returns a rig for plaintext, tls or mtls. */
  static Rig of(String security) {
    Rig rig = new Rig();
    boolean mutual = security.equals("mtls");
    if (!security.equals("plaintext")) {
      rig.serverTls = TestKeys.server(mutual);
      rig.clientTls = TestKeys.client(mutual);
    }
    return rig;
  }

  /** Serves, at the previous server's address if there was one. */
  Rig serve() throws Exception {
    server = new JettyStack().serve(serveConfig());
    address = server.address();
    Server started = server;
    open.push(() -> started.stop(0));
    return this;
  }

  int port() {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  ServeConfig serveConfig() {
    return new ServeConfig("tcp", address, serverTls, authorize, reply, limits, serverWire, Map.of(), store);
  }

  Conn dial(Stack stack, String compression, int slots) throws CallException {
    Conn conn =
        stack.dial(new DialConfig("tcp", address, clientTls, compression, slots, clientWire, options));
    open.push(conn);
    return conn;
  }

  /** Creates the Callers of all slots of a new connection. */
  List<Caller> callers(Stack stack, String compression, int slots, Call call) throws CallException {
    Conn conn = dial(stack, compression, slots);
    List<Caller> callers = new ArrayList<>();
    for (int slot = 0; slot < slots; slot++) {
      callers.add(conn.caller(call, slot));
    }
    return callers;
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Returns a unary call that checks the reply's bytes against those of the test servers. */
  static Call unary(int requestBytes, int responseBytes) {
    byte[] request = new byte[requestBytes];
    Arrays.fill(request, (byte) 'r');
    byte[] due = requestBytes == responseBytes ? request : bytes(responseBytes);
    return new Call(
        Kind.UNARY, request, responseBytes, 0, 0, got -> got.equals(ByteBuffer.wrap(due)) ? null : "other bytes came");
  }

  /** Returns what the test servers send if the sizes differ: text that compresses well. */
  static byte[] bytes(int n) {
    byte[] made = new byte[n];
    for (int i = 0; i < n; i++) {
      made[i] = (byte) ('a' + i % 23);
    }
    return made;
  }

  /** Starts a call. The result is its failure, including after's, or null. */
  static CompletableFuture<CallException> start(Caller caller) {
    CompletableFuture<CallException> ended = new CompletableFuture<>();
    caller.start(ended::complete);
    return ended.thenApply(failure -> failure == null ? caller.after() : failure);
  }

  static CallException call(Caller caller) throws Exception {
    return await(start(caller));
  }

  static <T> T await(CompletableFuture<T> later) throws Exception {
    return later.get();
  }

  /** Makes one call on every slot concurrently. */
  static List<CallException> callAll(List<Caller> callers) throws Exception {
    List<CompletableFuture<CallException>> started = callers.stream().map(Rig::start).toList();
    List<CallException> failures = new ArrayList<>();
    for (CompletableFuture<CallException> one : started) {
      failures.add(await(one));
    }
    return failures;
  }

  /** Waits until another thread has made the condition true. */
  static void until(BooleanSupplier done) throws InterruptedException {
    while (!done.getAsBoolean()) {
      Thread.sleep(1);
    }
  }
}
