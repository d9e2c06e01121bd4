package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.grpcjava.Calls.SLOTS;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.grpc.Batches;
import rpcbench.grpc.Receiving;
import rpcbench.stack.Call;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/** Answers that don't match the operations are detected in every kind of call. */
class RogueTest {
  static Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  /** Changes that a server makes to the answers of a message, by the code that the client reports. */
  private static final Map<Code, List<Consumer<List<Operation>>>> ROGUES = Map.of(
      Code.OK, List.of(answers -> { }, Collections::reverse),
      Code.RESOURCE_EXHAUSTED, List.of(
          answers -> answers.set(0, answers.get(0).toBuilder().setPayload(ByteString.copyFrom(new byte[200_000])).build())),
      Code.MISMATCH, List.of(
          answers -> answers.remove(0),
          answers -> answers.add(answers.get(0)),
          answers -> answers.set(1, answers.get(0)),
          answers -> answers.set(0, answers.get(0).toBuilder().setId(answers.get(0).getId() + 1000).build()),
          answers -> answers.set(0, answers.get(0).toBuilder().setId(-1).build()),
          answers -> answers.set(0, answers.get(0).toBuilder().clearPayload().build()),
          List::clear));

  @ParameterizedTest
  @MethodSource("clients")
  void aWrongAnswerIsAMismatch(Stack client) throws Exception {
    for (Map.Entry<Code, List<Consumer<List<Operation>>>> each : ROGUES.entrySet()) {
      for (int i = 0; i < each.getValue().size(); i++) {
        Server server = serve(each.getValue().get(i));
        DialConfig config =
            new DialConfig("tcp", "127.0.0.1:" + server.getPort(), null, "none", SLOTS, new Wire(), Map.of());
        try (Conn conn = client.dial(config)) {
          for (Map.Entry<String, Call> call : Calls.all(10, 10, SLOTS).entrySet()) {
            if (call.getValue().batch() > 0) {
              List<Caller> callers = Calls.callers(conn, call.getValue(), SLOTS);
              Calls.assertAll(each.getKey(), Calls.call(callers), "rogue " + i + ", " + call.getKey());
            }
          }
        } finally {
          server.shutdownNow().awaitTermination();
        }
      }
    }
  }

  /** The same holds for a server that answers a burst's messages in another order. */
  @ParameterizedTest
  @MethodSource("clients")
  void answersToAnotherMessageAreAMismatch(Stack client) throws Exception {
    ServerServiceDefinition service = ServerServiceDefinition.builder(Batches.SERVICE)
        .addMethod(Batches.STREAM, ServerCalls.asyncBidiStreamingCall(RogueTest::backwards)).build();
    Server server = start(service);
    DialConfig config =
        new DialConfig("tcp", "127.0.0.1:" + server.getPort(), null, "none", 1, new Wire(), Map.of());
    try (Conn conn = client.dial(config)) {
      List<Caller> callers = Calls.callers(conn, Calls.all(10, 10, 1).get("burst, batch"), 1);
      assertEquals(List.of(Code.MISMATCH), Calls.call(callers));
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }

  private static StreamObserver<Batch> backwards(StreamObserver<Batch> to) {
    List<Batch> held = new ArrayList<>();
    return new Receiving<>() {
      @Override
      public void onNext(Batch request) {
        held.add(request);
        if (held.size() == Calls.MESSAGES) {
          Collections.reverse(held);
          held.forEach(to::onNext);
          held.clear();
        }
      }

      @Override
      public void onCompleted() {
        to.onCompleted();
      }
    };
  }

  private static Server serve(Consumer<List<Operation>> rogue) throws Exception {
    ServerServiceDefinition service = ServerServiceDefinition.builder(Batches.SERVICE)
        .addMethod(
            Batches.UNARY,
            ServerCalls.asyncUnaryCall((request, to) -> {
              to.onNext(answer(request, rogue));
              to.onCompleted();
            }))
        .addMethod(Batches.STREAM, ServerCalls.asyncBidiStreamingCall(to -> echoing(rogue, to)))
        .addMethod(Batches.UPLOAD, ServerCalls.asyncClientStreamingCall(to -> last(rogue, to)))
        .build();
    return start(service);
  }

  private static Server start(ServerServiceDefinition service) throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return NettyServerBuilder.forAddress(any).addService(service).build().start();
  }

  private static StreamObserver<Batch> echoing(Consumer<List<Operation>> rogue, StreamObserver<Batch> to) {
    return new Receiving<>() {
      @Override
      public void onNext(Batch request) {
        to.onNext(answer(request, rogue));
      }

      @Override
      public void onCompleted() {
        to.onCompleted();
      }
    };
  }

  private static StreamObserver<Batch> last(Consumer<List<Operation>> rogue, StreamObserver<Batch> to) {
    return new Receiving<>() {
      private Batch last;

      @Override
      public void onNext(Batch request) {
        last = request;
      }

      @Override
      public void onCompleted() {
        to.onNext(answer(last, rogue));
        to.onCompleted();
      }
    };
  }

  private static Batch answer(Batch request, Consumer<List<Operation>> rogue) {
    List<Operation> answers = new ArrayList<>(request.getOperationsList());
    rogue.accept(answers);
    return Batch.newBuilder().addAllOperations(answers).build();
  }
}
