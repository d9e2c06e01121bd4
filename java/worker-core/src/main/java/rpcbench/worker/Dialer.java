package rpcbench.worker;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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

  /** Runs the work that opens connection i, for a limited time. Connections are opened one after the other. */
  <T> T patiently(int i, Callable<T> work) throws CallException {
    Progress progress = new Progress(wire);
    FutureTask<T> dialled = new FutureTask<>(work);
    Patience patience = patient.get();
    Threads.start("rpcbench-dial", dialled);
    try {
      while (true) {
        try {
          return dialled.get(patience.stepNs(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          if (patience.isOver()) {
            String which = "connection " + (i + 1) + " of " + connect.getConnections();
            throw late(dialled, which + " was not ready within " + patience + ": " + progress);
          }
        }
      }
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw late(dialled, "the worker is ending");
    }
  }

  private static CallException late(Future<?> dialled, String why) {
    dialled.cancel(true);
    return new CallException(Code.UNAVAILABLE, why);
  }

  private static CallException failure(Throwable cause) {
    if (cause instanceof CallException failed) {
      return failed;
    }
    return new CallException(Code.INTERNAL, CallException.reason(cause), cause);
  }
}
