package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc.BenchmarkServiceBlockingStub;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc.BenchmarkServiceStub;
import io.grpc.benchmarks.proto.Messages.EchoStatus;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.grpc.Batches;

/** The server's behavior towards other clients than ours. */
class ServiceTest {
  private Rig rig;
  private ManagedChannel channel;

  /** The server's options. */
  Map<String, String> options() {
    return Map.of();
  }

  @BeforeEach
  void serve() throws Exception {
    rig = new Rig(new NettyStack());
    rig.serverOptions = options();
    rig.serve();
    channel = NettyChannelBuilder.forTarget(rig.address).usePlaintext().proxyDetector(a -> null).build();
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow();
    channel.awaitTermination(1, TimeUnit.HOURS);
    rig.close();
  }

  private BenchmarkServiceBlockingStub stub() {
    return BenchmarkServiceGrpc.newBlockingStub(channel);
  }

  private static Status.Code codeOf(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(StatusRuntimeException.class, call).getStatus().getCode();
  }

  @Test
  void aStatusThatIsAskedForComes() {
    SimpleRequest request = SimpleRequest.newBuilder()
        .setResponseStatus(EchoStatus.newBuilder().setCode(9).setMessage("as asked")).build();
    StatusRuntimeException failure = assertThrows(StatusRuntimeException.class, () -> stub().unaryCall(request));
    assertEquals(Status.Code.FAILED_PRECONDITION, failure.getStatus().getCode());
    assertEquals("as asked", failure.getStatus().getDescription());
    assertEquals(Status.Code.FAILED_PRECONDITION, codeOf(() -> stub().streamingFromServer(request).next()));
  }

  @Test
  void aSizeThatNoReplyHasIsInvalid() {
    for (int size : new int[] {-1, (64 << 20) + 1}) {
      SimpleRequest request = SimpleRequest.newBuilder().setResponseSize(size).build();
      assertEquals(Status.Code.INVALID_ARGUMENT, codeOf(() -> stub().unaryCall(request)));
    }
  }

  @Test
  void aDownloadIsAsLongAsTheMetadataSays() {
    for (int count : new int[] {0, 1, 1000}) {
      Iterator<SimpleResponse> replies = withMessages(Integer.toString(count)).streamingFromServer(
          SimpleRequest.newBuilder().setResponseSize(10).build());
      int got = 0;
      for (; replies.hasNext(); replies.next()) {
        got++;
      }
      assertEquals(count, got);
    }
    for (String nonsense : new String[] {"-1", "many", ""}) {
      SimpleRequest request = SimpleRequest.getDefaultInstance();
      assertEquals(
          Status.Code.INVALID_ARGUMENT, codeOf(() -> withMessages(nonsense).streamingFromServer(request).next()));
    }
  }

  private BenchmarkServiceBlockingStub withMessages(String value) {
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of("rpcbench-messages", Metadata.ASCII_STRING_MARSHALLER), value);
    return stub().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  @Test
  void aDownloadWithoutMetadataGoesOn() {
    Iterator<SimpleResponse> replies =
        stub().streamingFromServer(SimpleRequest.newBuilder().setResponseSize(10).build());
    for (int i = 0; i < 10_000; i++) {
      assertEquals(10, replies.next().getPayload().getBody().size());
    }
  }

  @Test
  void bothWaysSendsUntilTheClientHasSentAll() throws Exception {
    CountDownLatch many = new CountDownLatch(1000);
    CompletableFuture<String> end = new CompletableFuture<>();
    StreamObserver<SimpleRequest> requests = BenchmarkServiceGrpc.newStub(channel).streamingBothWays(
        new StreamObserver<SimpleResponse>() {
          @Override
          public void onNext(SimpleResponse response) {
            many.countDown();
          }

          @Override
          public void onError(Throwable failure) {
            end.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {
            end.complete("completed");
          }
        });
    requests.onNext(SimpleRequest.newBuilder().setResponseSize(10).build());
    many.await();
    requests.onNext(SimpleRequest.newBuilder().setResponseSize(20).build());
    requests.onCompleted();
    assertEquals("completed", end.get());
  }

  @Test
  void aBurstIsAnsweredWhenAllOfItHasCome() throws Exception {
    Replies replies = new Replies();
    StreamObserver<SimpleRequest> requests = withBurst("3").streamingCall(replies);
    SimpleRequest request = SimpleRequest.newBuilder().setResponseSize(10).build();
    for (int burst = 1; burst <= 2; burst++) {
      requests.onNext(request);
      requests.onNext(request);
      stub().unaryCall(request); // the service has received what preceded it on the connection
      assertEquals(3 * (burst - 1), replies.got.size());
      requests.onNext(request);
      int due = 3 * burst;
      Calls.until(() -> replies.got.size() == due);
    }
    requests.onCompleted();
    assertEquals(Status.OK, replies.end.get());
  }

  @Test
  void aBurstThatNoServerHoldsIsRefused() throws Exception {
    for (String nonsense : new String[] {"0", "-1", "540001", "many", ""}) {
      Replies replies = new Replies();
      withBurst(nonsense).streamingCall(replies);
      assertEquals(Status.Code.INVALID_ARGUMENT, replies.end.get().getCode(), nonsense);
    }
    Replies replies = new Replies();
    StreamObserver<SimpleRequest> requests = withBurst("3").streamingCall(replies);
    for (int i = 0; i < 2; i++) {
      requests.onNext(SimpleRequest.newBuilder().setResponseSize(40 << 20).build());
    }
    Status end = replies.end.get();
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, end.getCode());
    assertEquals("a burst of 3 messages is more than the 67108864 bytes that a server holds", end.getDescription());
    assertEquals(0, replies.got.size());
  }

  private BenchmarkServiceStub withBurst(String value) {
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of("rpcbench-burst", Metadata.ASCII_STRING_MARSHALLER), value);
    return BenchmarkServiceGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  /** Records what arrives on a stream. */
  private static final class Replies implements StreamObserver<SimpleResponse> {
    final List<SimpleResponse> got = new CopyOnWriteArrayList<>();
    final CompletableFuture<Status> end = new CompletableFuture<>();

    @Override
    public void onNext(SimpleResponse response) {
      got.add(response);
    }

    @Override
    public void onError(Throwable failure) {
      end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }
  }

  @Test
  void everyOperationIsAnsweredInOrder() {
    Batch request = Batch.newBuilder().setResponseBytes(2)
        .addOperations(operation(-1, "ab")).addOperations(operation(5, "abc")).addOperations(operation(5, ""))
        .build();
    String own = new String(Calls.reply(2), StandardCharsets.ISO_8859_1);
    Batch answer = Batch.newBuilder()
        .addOperations(operation(-1, "ab")).addOperations(operation(5, own)).addOperations(operation(5, own))
        .build();
    assertEquals(answer, unary(request));
    assertEquals(Batch.getDefaultInstance(), unary(Batch.getDefaultInstance()));
  }

  @Test
  void answersThatAreTooLargeTogetherAreInvalid() {
    Batch.Builder request = Batch.newBuilder().setResponseBytes(30 << 20);
    for (int i = 0; i < 3; i++) {
      request.addOperations(operation(i, ""));
    }
    assertEquals(Status.Code.INVALID_ARGUMENT, codeOf(() -> unary(request.build())));
    assertEquals(Status.Code.INVALID_ARGUMENT, codeOf(() -> unary(request.setResponseBytes(-1).build())));
  }

  private Batch unary(Batch request) {
    return ClientCalls.blockingUnaryCall(channel, Batches.UNARY, CallOptions.DEFAULT, request);
  }

  private static Operation operation(long id, String payload) {
    ByteString bytes = ByteString.copyFrom(payload, StandardCharsets.ISO_8859_1);
    return Operation.newBuilder().setId(id).setPayload(bytes).build();
  }
}
