package rpcbench.grpcjava;

import static rpcbench.grpcjava.Calls.SLOTS;

import io.grpc.Codec;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger;
import rpcbench.stack.Method;
import rpcbench.stack.Stack;

/** A call of a method with one reply that has none, or several, is INTERNAL, as for the library's stubs. */
class ReplyCountTest {
  static Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aCallWithoutItsOneReplyIsInternal(Stack client) throws Exception {
    for (int replies : new int[] {0, 2, 3}) {
      try (AnyServer server = new AnyServer(Codec.Identity.NONE, (call, headers) -> answers(call, replies));
          Conn conn = server.dial(client)) {
        Map<String, Call> all = Calls.all(10, 0, SLOTS);
        for (String name : List.of(Kind.UNARY, Kind.UPLOAD, Kind.UNARY + ", batch", Kind.UPLOAD + ", batch")) {
          Calls.assertAll(Code.INTERNAL, Calls.call(Calls.callers(conn, all.get(name), SLOTS)), replies + " replies, " + name);
        }
        for (String kind : List.of(Kind.UNARY, Kind.UPLOAD)) {
          Calls.assertAll(
              Code.INTERNAL, Calls.call(Calls.callers(conn, foreign(kind), SLOTS)), replies + " replies, foreign " + kind);
        }
      }
    }
  }

  private static Call foreign(String kind) {
    Method.Requests requests = new Method.Requests() {
      @Override
      public int messages(long call) {
        return 2;
      }

      @Override
      public byte[] message(long call, int i) {
        return new byte[3];
      }
    };
    MethodTest.Clock clock = new MethodTest.Clock(new ArrayList<>());
    return new Call(kind, new Method("a.B/C", requests, List.of(), "", 1000, new Ledger(), clock), 0, 0);
  }

  /** Answers what a client sends with a number of messages, each empty, and OK. */
  private static ServerCall.Listener<byte[]> answers(ServerCall<byte[], byte[]> call, int replies) {
    call.sendHeaders(new Metadata());
    call.request(Integer.MAX_VALUE);
    return new ServerCall.Listener<>() {
      @Override
      public void onHalfClose() {
        for (int i = 0; i < replies; i++) {
          call.sendMessage(new byte[0]);
        }
        call.close(Status.OK, new Metadata());
      }
    };
  }
}
