package rpcbench.worker;

import java.nio.ByteBuffer;
import rpcbench.payload.Payload;
import rpcbench.stack.Kind;
import rpcbench.stack.Method;
import rpcbench.worker.v1.Worker.Background;
import rpcbench.worker.v1.Worker.Call;

/** Describes calls to an adapter. */
final class Calls {
  private Calls() {}

  static rpcbench.stack.Call measured(Call call, int streams) {
    if (Kind.codes(call.getKind())) {
      var codec =
          new rpcbench.stack.Call.Codec(call.getMessage(), call.getCodec(), call.getSeed(), call.getSampleNs());
      return new rpcbench.stack.Call(call.getKind(), codec);
    }
    byte[] request = Payload.of(call.getPayload(), call.getSeed(), call.getRequestBytes());
    return new rpcbench.stack.Call(
            call.getKind(), request, call.getResponseBytes(), call.getMessages(), streams, check(call, request))
        .withBatch(call.getBatch())
        .withPerStream(call.getMessagesPerStream())
        .withDeadline(call.getDeadlineNs())
        .withDrawn(DrawnCalls.of(call, request.length));
  }

  /** Calls of a foreign method. */
  static rpcbench.stack.Call method(Call call, int streams, Method method) {
    return new rpcbench.stack.Call(call.getKind(), method, call.getMessages(), streams)
        .withPerStream(call.getMessagesPerStream())
        .withDeadline(call.getDeadlineNs());
  }

  /** The background has the measured call's payload, seed and checks, and no batches. */
  static rpcbench.stack.Call background(Background b, Call call) {
    Call beside =
        call.toBuilder()
            .setKind(b.getKind())
            .setRequestBytes(b.getRequestBytes())
            .setResponseBytes(b.getResponseBytes())
            .setMessages(b.getMessages())
            .clearBatch()
            .clearSizes()
            .clearAccesses()
            .clearMessagesPerStream()
            .build();
    return measured(beside, 0);
  }

  /** The one call of an idle stream: an echo of a request's payload, checked as the measured call is. */
  static rpcbench.stack.Call idle(Call call) {
    Call echo =
        Call.newBuilder()
            .setKind(Kind.PING_PONG)
            .setRequestBytes(call.getRequestBytes())
            .setResponseBytes(call.getRequestBytes())
            .setPayload(call.getPayload())
            .setSeed(call.getSeed())
            .setDeadlineNs(call.getDeadlineNs())
            .setLengthsOnly(call.getLengthsOnly())
            .build();
    return measured(echo, 1);
  }

  private static rpcbench.stack.Call.Check check(Call call, byte[] request) {
    if (call.hasSizes() || call.hasAccesses()) {
      return DrawnCalls.check(call);
    }
    if (call.getLengthsOnly()) {
      int due = call.getResponseBytes();
      return reply -> reply.remaining() == due ? null : wrong(reply, due);
    }
    ByteBuffer expected = ByteBuffer.wrap(expected(call, request));
    return reply -> reply.equals(expected) ? null : wrong(reply, expected.remaining());
  }

  private static String wrong(ByteBuffer reply, int due) {
    return "the reply has " + reply.remaining() + " bytes, expected " + due;
  }

  /** Returns the payload of a right reply: the request's own bytes if the lengths match, otherwise the server's. */
  private static byte[] expected(Call call, byte[] request) {
    if (call.getResponseBytes() == request.length) {
      return request;
    }
    return Payload.of(call.getPayload(), call.getSeed(), call.getResponseBytes());
  }
}
