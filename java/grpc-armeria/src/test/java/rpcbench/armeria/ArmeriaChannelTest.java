package rpcbench.armeria;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.grpc.Batches;
import rpcbench.stack.Address;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Wire;

class ArmeriaChannelTest {
  private final EventLoopGroup loop = EventLoopGroups.newEventLoopGroup(1, "test-loop", true);
  private final ClientFactory factory = ClientFactory.builder().workerGroup(loop, false).build();

  @AfterEach
  void close() {
    factory.close();
    loop.shutdownGracefully();
  }

  /** Records the ids of the operations that come back, until the call ends. */
  private static final class Echoes extends ClientCall.Listener<Batch> {
    private final List<Long> ids = new ArrayList<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    @Override
    public void onMessage(Batch echo) {
      ids.add(echo.getOperations(0).getId());
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }

  private static Batch batch(long id) {
    return Batch.newBuilder().addOperations(Operation.newBuilder().setId(id)).build();
  }

  @Test
  void theLoopDoesNotOvertakeAnotherThread() throws Exception {
    Server server = new ArmeriaStack()
        .serve(new ServeConfig("tcp", "127.0.0.1:0", null, null, byte[]::new, new Wire(), Map.of()));
    try {
      Endpoint endpoint = Endpoint.of("127.0.0.1", Address.parse(server.address()).port());
      ClientCall<Batch, Batch> call = new ArmeriaChannel(factory, loop.next(), SessionProtocol.H2C, endpoint)
          .newCall(Batches.STREAM, CallOptions.DEFAULT);
      Echoes echoes = new Echoes();
      call.start(echoes, new Metadata());
      call.request(3);
      CountDownLatch sent = new CountDownLatch(1);
      CompletableFuture<Void> second = CompletableFuture.runAsync(
          () -> {
            await(sent);
            call.sendMessage(batch(2));
          },
          loop);
      call.sendMessage(batch(1));
      sent.countDown();
      second.get();
      call.halfClose();
      assertEquals(Status.Code.OK, echoes.end.get().getCode());
      assertEquals(List.of(1L, 2L), echoes.ids);
    } finally {
      server.stop(0);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
