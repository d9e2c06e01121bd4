package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc.BenchmarkServiceBlockingStub;
import io.grpc.benchmarks.proto.Messages.EchoStatus;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server does for clients that are not ours. */
class ServiceTest {
  private Rig rig;
  private ManagedChannel channel;

  @BeforeEach
  void serve() throws Exception {
    rig = new Rig(new NettyStack()).serve();
    channel = NettyChannelBuilder.forTarget(rig.address).usePlaintext().proxyDetector(a -> null).build();
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow();
    channel.awaitTermination(10, TimeUnit.SECONDS);
    rig.close();
  }

  private BenchmarkServiceBlockingStub stub() {
    return BenchmarkServiceGrpc.newBlockingStub(channel).withDeadlineAfter(10, TimeUnit.SECONDS);
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
    assertEquals(true, many.await(10, TimeUnit.SECONDS));
    requests.onNext(SimpleRequest.newBuilder().setResponseSize(20).build());
    requests.onCompleted();
    assertEquals("completed", end.get(10, TimeUnit.SECONDS));
  }
}
