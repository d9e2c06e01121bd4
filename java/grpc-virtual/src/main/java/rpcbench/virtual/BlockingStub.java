package rpcbench.virtual;

import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import java.util.concurrent.Executor;
import rpcbench.grpc.Failure;
import rpcbench.grpc.Link;
import rpcbench.grpc.MethodRpc;
import rpcbench.grpc.Rpc;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.InterruptibleCaller;

/** A slot whose calls are made by blocking stubs. */
abstract class BlockingStub extends InterruptibleCaller {
  final Link link;

  BlockingStub(Link link, Executor threads) {
    super(threads);
    this.link = link;
  }

  /** Creates the Caller of a slot that makes its calls on these threads. */
  static Caller caller(Link link, Call call, int slot, Executor threads) {
    return call.method() == null
        ? new BlockingRpc<>(link, Rpc.of(call, link.codec()), slot, threads)
        : new BlockingMethod(link, MethodRpc.of(call), threads);
  }

  /** Makes the call with a stub. */
  abstract void callStub() throws CallException, StatusException, InterruptedException;

  /** What a slot does with a call that is open. */
  interface Exchange {
    void run() throws CallException, StatusException, InterruptedException;
  }

  /**
   * Runs an exchange. An interrupt ends the wait of a BlockingClientCall but not its call, which would keep its place among those
   * that the connection may have, and its share of the window. A StatusException is of a call that has ended.
   */
  static void whole(BlockingClientCall<?, ?> call, Exchange exchange)
      throws CallException, StatusException, InterruptedException {
    try {
      exchange.run();
    } catch (CallException | InterruptedException | RuntimeException e) {
      call.cancel("it was given up", e);
      throw e;
    }
  }

  @Override
  protected final void exchange() throws CallException, InterruptedException {
    try {
      callStub();
    } catch (StatusRuntimeException e) {
      throw failed(Failure.of(e.getStatus()));
    } catch (StatusException e) {
      throw failed(Failure.of(e.getStatus()));
    }
  }

  private CallException failed(CallException failure) {
    link.failed(failure);
    return failure;
  }
}
