package rpcbench.virtual;

import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import rpcbench.grpc.Failure;
import rpcbench.grpc.Link;
import rpcbench.grpc.MethodRpc;
import rpcbench.grpc.Rpc;
import rpcbench.stack.BlockingCaller;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

/** A slot whose calls are made as blocking stubs make them. An interrupt of its thread ends the call. */
abstract class BlockingStub extends BlockingCaller {
  final Link link;
  private Thread blocked; // makes the call; null when none runs; under this object's lock

  BlockingStub(Link link, Executor threads) {
    super(threads);
    this.link = link;
  }

  /** Makes the Caller of a slot, whose calls are made on these threads. */
  static Caller caller(Link link, Call call, int slot, Executor threads) {
    return call.method() == null
        ? new BlockingRpc<>(link, Rpc.of(call), slot, threads)
        : new BlockingMethod(link, MethodRpc.of(call), threads);
  }

  /** Makes the call. */
  abstract void exchange() throws CallException, StatusException, InterruptedException;

  @Override
  protected final void perform() throws CallException {
    synchronized (this) {
      if (isCancelled()) {
        throw new CallException(Code.CANCELLED, "it was cancelled before it began");
      }
      blocked = Thread.currentThread();
    }
    try {
      exchange();
    } catch (StatusRuntimeException e) {
      throw failed(Failure.of(e.getStatus()));
    } catch (StatusException e) {
      throw failed(Failure.of(e.getStatus()));
    } catch (InterruptedException e) {
      throw new CallException(Code.CANCELLED, "it was interrupted", e);
    } finally {
      synchronized (this) {
        blocked = null;
        Thread.interrupted(); // an interrupt that came too late is not the next call's
      }
    }
  }

  private CallException failed(CallException failure) {
    link.failed(failure);
    return failure;
  }

  @Override
  protected final void abort() {
    if (blocked != null) {
      blocked.interrupt();
    }
  }

  /** Ends a pause of the call. It may come at any time. */
  final synchronized void wake() {
    LockSupport.unpark(blocked);
  }

  /** Blocks the call until wake, or an interrupt. It may also end for no reason. */
  final void pause() throws InterruptedException {
    LockSupport.park(this);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
