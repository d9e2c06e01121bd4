package rpcbench.grpc;

import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Ledger;
import rpcbench.stack.MessageTimes;

/** A slot whose calls are RPCs of a foreign method: unary, upload, download, stream. */
final class MethodCaller implements Caller {
  final Link link;
  final MethodRpc rpc;
  final MessageTimes times;
  private volatile MethodExchange running;
  private boolean late;

  MethodCaller(Link link, MethodRpc rpc) {
    this.link = link;
    this.rpc = rpc;
    this.times = new MessageTimes(rpc.call(), this::wake);
  }

  @Override
  public void start(Done done) {
    times.begin();
    late = false;
    MethodExchange exchange = new MethodExchange(this, done, rpc.nextCall());
    running = exchange;
    exchange.begin();
  }

  /** Is called when a message may be due. */
  private void wake() {
    MethodExchange exchange = running;
    if (exchange != null) {
      exchange.send();
    }
  }

  @Override
  public void cancel() {
    MethodExchange exchange = running;
    if (exchange != null) {
      exchange.cancel();
    }
  }

  @Override
  public void late() {
    late = true;
  }

  @Override
  public CallException after() {
    Ledger.Entry carried = running.carried();
    running = null;
    if (carried != null) {
      rpc.count(carried, late);
    }
    return null;
  }
}
