package rpcbench.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rpcbench.grpcjava.NettyStack;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger;
import rpcbench.stack.Method;
import rpcbench.stack.Wire;

/** Cancelling a stream call of a blocking stub, on a connection that has room for one call. */
class CancelledStreamTest {
  private static final int BYTES = 64 << 10;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch held = new CountDownLatch(1); // the server has the call
  private final CountDownLatch cancelled = new CountDownLatch(1); // for the server
  private boolean reads = true;
  private Server server;

  /** Answers unary calls, and of a stream never as much as the client waits for. */
  private final class Holding extends BenchmarkServiceGrpc.BenchmarkServiceImplBase {
    @Override
    public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> client) {
      client.onNext(reply());
      client.onCompleted();
    }

    @Override
    public void streamingFromServer(SimpleRequest request, StreamObserver<SimpleResponse> client) {
      watch(client);
      client.onNext(reply());
      held.countDown();
    }

    @Override
    public StreamObserver<SimpleRequest> streamingFromClient(StreamObserver<SimpleResponse> client) {
      watch(client);
      if (!reads) {
        ((ServerCallStreamObserver<SimpleResponse>) client).disableAutoRequest();
        held.countDown();
      }
      return new StreamObserver<>() {
        @Override
        public void onNext(SimpleRequest request) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {
          held.countDown();
        }
      };
    }

    private void watch(StreamObserver<SimpleResponse> client) {
      ((ServerCallStreamObserver<SimpleResponse>) client).setOnCancelHandler(cancelled::countDown);
    }

    private SimpleResponse reply() {
      return SimpleResponse.newBuilder().setPayload(payload()).build();
    }
  }

  private static Payload payload() {
    return Payload.newBuilder().setBody(ByteString.copyFrom(new byte[BYTES])).build();
  }

  @BeforeEach
  void serve() throws Exception {
    server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
        .maxConcurrentCallsPerConnection(1).addService(new Holding()).build().start();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
    threads.shutdownNow();
  }

  /** The client waits for a reply or, if the server reads nothing, until it may send: 1,000 messages fit into no window. */
  @ParameterizedTest
  @CsvSource({
    "download, 1000, true, ours", "upload, 3, true, ours", "upload, 1000, false, ours",
    "download, 1000, true, own", "upload, 3, true, own", "upload, 1000, false, own"
  })
  void isCancelledForTheServerToo(String kind, int messages, boolean reads, String whose) throws Exception {
    this.reads = reads;
    NettyStack stack = new BlockingRpcTest.Blocking(threads);
    String address = "127.0.0.1:" + server.getPort();
    try (Conn conn = stack.dial(new DialConfig("tcp", address, null, "none", 1, new Wire(), Map.of()))) {
      Call call = whose.equals("own") ? own(kind, messages) : new Call(kind, new byte[BYTES], BYTES, messages, 0, null);
      Caller caller = conn.caller(call, 0);
      CompletableFuture<CallException> ended = new CompletableFuture<>();
      caller.start(ended::complete);
      held.await();
      caller.cancel();
      assertEquals(Code.CANCELLED, ended.get().code());
      assertTrue(cancelled.await(1, TimeUnit.MINUTES), "the server still has the call");
      assertNull(BlockingRpcTest.call(conn.caller(new Call(Kind.UNARY, new byte[BYTES], BYTES, 0, 0, null), 0)));
    }
  }

  private static Call own(String kind, int messages) {
    String name = kind.equals(Kind.UPLOAD) ? "StreamingFromClient" : "StreamingFromServer";
    byte[] message = SimpleRequest.newBuilder().setPayload(payload()).build().toByteArray();
    Method method = new Method(
        "grpc.testing.BenchmarkService/" + name, BlockingRpcTest.requests(message), List.of(), "", 1 << 20, new Ledger(),
        new BlockingRpcTest.Within(0));
    return new Call(kind, method, messages, 0);
  }
}
