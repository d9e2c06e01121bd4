package rpcbench.worker;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Stack;
import rpcbench.stack.Tls;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.Connect;

/** Opens the connections of a Connect. Safe for concurrent use. */
final class Dialer {
  /**
   * The maximum number of connections that are being opened at once, as in workers in other languages. Far servers are then
   * reached 64 times as fast as by one after the other, and no server's backlog overflows.
   */
  static final int AT_ONCE = 64;

  private final Stack stack;
  private final Connect connect;
  private final Tls tls;
  private final Wire wire;
  private final Supplier<Patience> patient;

  Dialer(Stack stack, Connect connect, Tls tls, Wire wire) {
    this(stack, connect, tls, wire, () -> new Patience(Limits.DIAL_PATIENCE_NS));
  }

  /** Takes the patience with each connection, for tests. */
  Dialer(Stack stack, Connect connect, Tls tls, Wire wire, Supplier<Patience> patient) {
    this.stack = stack;
    this.connect = connect;
    this.tls = tls;
    this.wire = wire;
    this.patient = patient;
  }

  /** Returns the address of connection i; empty for a codec, which has no server. */
  String address(int i) {
    int addresses = connect.getAddressesCount();
    return addresses == 0 ? "" : connect.getAddresses(i % addresses);
  }

  /**
   * Resolves the host of connection i if it is a name, so that the JVM, which caches the answer, has it when the stack asks.
   * Returns whether a name was resolved.
   */
  boolean looksUp(int i) {
    try {
      Address address = Address.parse(address(i));
      return address.isNamed() && InetAddress.getAllByName(address.host()).length > 0;
    } catch (CallException | UnknownHostException e) {
      return false; // the stack will report it
    }
  }

  /** Opens connection i; an interrupt ends it. */
  Conn dial(int i) throws CallException {
    DialConfig config =
        new DialConfig(
            connect.getNetwork(),
            address(i),
            tls,
            connect.getCall().getCompression(),
            connect.getInFlight(),
            wire,
            Map.copyOf(connect.getOptionsMap()));
    try {
      return stack.dial(config);
    } catch (IllegalArgumentException e) {
      throw new CallException(Code.INVALID_ARGUMENT, CallException.reason(e), e);
    } catch (RuntimeException e) {
      throw new CallException(Code.INTERNAL, CallException.reason(e), e);
    }
  }

  /** Is dial, and has the connection connected. */
  Conn ready(int i) throws CallException {
    Conn conn = dial(i);
    try {
      conn.ready();
      return conn;
    } catch (CallException | RuntimeException e) {
      conn.close();
      throw e;
    }
  }

  /**
   * Runs works that open connections, up to {@link #AT_ONCE} of them at once, and waits for each for a limited time. After a
   * failure no other one is begun, and those that run are interrupted.
   *
   * @param first the number of the connection that the first work opens; the others follow it
   * @return what the works return, in their order
   */
  <T> List<T> patiently(int first, List<Callable<T>> works) throws CallException {
    Progress progress = new Progress(wire);
    ExecutorService threads = Threads.pool("rpcbench-dial", Math.max(1, Math.min(AT_ONCE, works.size())));
    CompletionService<T> ended = new ExecutorCompletionService<>(threads);
    List<Future<T>> dialled = works.stream().map(ended::submit).collect(Collectors.toList());
    try {
      for (int ready = 0; ready < works.size(); ready++) {
        Patience patience = patient.get();
        Future<T> next = next(ended, patience);
        if (next == null) {
          throw late(first, dialled, patience, progress);
        }
        next.get();
      }
      List<T> all = new ArrayList<>();
      for (Future<T> one : dialled) {
        all.add(one.get());
      }
      return all;
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallException(Code.UNAVAILABLE, "the worker is ending");
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns null if the patience was over before. */
  private static <T> Future<T> next(CompletionService<T> ended, Patience patience) throws InterruptedException {
    while (true) {
      Future<T> next = ended.poll(patience.stepNs(), TimeUnit.NANOSECONDS);
      if (next != null || patience.isOver()) {
        return next;
      }
    }
  }

  /** Says which connection is late. How far it came is known if it was opened alone. */
  private <T> CallException late(int first, List<Future<T>> dialled, Patience patience, Progress progress) {
    List<Integer> late = new ArrayList<>();
    for (int i = 0; i < dialled.size() && late.size() < AT_ONCE; i++) {
      if (!dialled.get(i).isDone()) {
        late.add(first + i + 1);
      }
    }
    String which = "connection " + late.get(0) + " of " + connect.getConnections() + " was not ready within " + patience;
    if (dialled.size() == 1) {
      which += ": " + progress;
    } else if (late.size() > 1) {
      which += ", nor " + (late.size() == 2 ? "was another one" : "were " + (late.size() - 1) + " others");
    }
    return new CallException(Code.UNAVAILABLE, which);
  }

  private static CallException failure(Throwable cause) {
    if (cause instanceof CallException failed) {
      return failed;
    }
    return new CallException(Code.INTERNAL, CallException.reason(cause), cause);
  }
}
