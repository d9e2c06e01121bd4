package rpcbench.grpc;

import io.grpc.MethodDescriptor;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Kind;
import rpcbench.stack.MessageTimes;
import rpcbench.stack.Method;

/** A slot whose every call is one RPC of somebody else's method: unary, upload, download, stream. */
final class MethodCaller implements Caller {
  final Link link;
  final Call call;
  final Method method;
  final MethodDescriptor<byte[], Integer> descriptor;
  final MessageTimes times;
  private volatile MethodExchange running;

  MethodCaller(Link link, Call call) {
    this.link = link;
    this.call = call;
    this.method = call.method();
    this.descriptor = RawMessages.method(method.name(), call.kind());
    this.times = new MessageTimes(call, this::wake);
  }

  /** Whether a call wants one reply, and not any number. */
  boolean wantsOne() {
    return call.kind().equals(Kind.UNARY) || call.kind().equals(Kind.UPLOAD);
  }

  /** How many messages a call sends. */
  int messages(long number) {
    return switch (call.kind()) {
      case Kind.UPLOAD, Kind.STREAM -> call.messages() > 0 ? call.messages() : method.requests().messages(number);
      default -> 1;
    };
  }

  /** The most replies that a call takes; 0 is any number. */
  int repliesMost() {
    return call.kind().equals(Kind.DOWNLOAD) ? call.messages() : 0;
  }

  @Override
  public void start(Done done) {
    times.begin();
    MethodExchange exchange = new MethodExchange(this, done, method.ledger().nextCall());
    running = exchange;
    exchange.begin();
  }

  /** A message may be due. */
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
  public CallException after() {
    MethodExchange exchange = running;
    running = null;
    int replies = exchange.goodReplies();
    return wantsOne() && replies > 1
        ? new CallException(Code.MISMATCH, replies + " replies came, 1 was due")
        : null;
  }
}
