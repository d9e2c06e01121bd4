package rpcbench.grpc;

import io.grpc.Metadata;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller.Done;
import rpcbench.stack.Ledger;

/** One RPC of a foreign method. */
final class MethodExchange extends OneCall<byte[], Integer> {
  private final MethodCaller caller;
  private final MethodRpc rpc;
  private final long number; // of the call
  private final Ledger.Entry carried = new Ledger.Entry();
  private boolean endedWell;

  MethodExchange(MethodCaller caller, Done done, long number) {
    super(caller.link, caller.rpc.method(), caller.rpc.messages(number), caller.rpc.wantsOne(), done);
    this.caller = caller;
    this.rpc = caller.rpc;
    this.number = number;
  }

  @Override
  Metadata metadata() throws CallException {
    return rpc.metadata(number);
  }

  @Override
  byte[] message(int i) throws CallException {
    return caller.times.sending(i) ? rpc.message(number, i) : null;
  }

  @Override
  long sent(byte[] message) {
    carried.sent(message.length);
    return message.length;
  }

  @Override
  boolean isFull() {
    return rpc.isFull(carried.messagesIn());
  }

  @Override
  void received(Integer length) {
    carried.received(length);
    caller.times.reply();
  }

  @Override
  CallException ended() {
    endedWell = true;
    return null;
  }

  /** Returns what the call carried, null if the server did not end it with OK. */
  Ledger.Entry carried() {
    return endedWell ? carried : null;
  }
}
