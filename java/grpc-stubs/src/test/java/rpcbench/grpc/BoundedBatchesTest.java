package rpcbench.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.sun.management.ThreadMXBean;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.stack.ServerLimits;

/** Batches are counted while they are decoded. */
class BoundedBatchesTest {
  private static final int MOST = 10;

  private final MethodDescriptor<Batch, Batch> method =
      BoundedBatches.bound(Batches.UNARY, new ServerLimits(0, 0, MOST, 0, 0, 0, 0, 0));

  private Batch parse(byte[] encoded) {
    return method.parseRequest(new ByteArrayInputStream(encoded));
  }

  private static Batch batch(int operations) {
    Batch.Builder batch = Batch.newBuilder();
    for (int i = 0; i < operations; i++) {
      batch.addOperations(Operation.newBuilder().setId(i).setPayload(ByteString.copyFromUtf8("abc")));
    }
    return batch.setResponseBytes(7).build();
  }

  @Test
  void whatIsWithinIsDecodedAsByTheLibrary() {
    for (int operations : new int[] {0, 1, MOST}) {
      assertEquals(batch(operations), parse(batch(operations).toByteArray()));
    }
    byte[] unknown = {0x1a, 1, 9};
    assertEquals(Batch.getDefaultInstance(), parse(unknown));
  }

  @Test
  void whatExceedsTheLimitIsNotDecoded() {
    byte[] bomb = new byte[4 << 20];
    for (int i = 0; i < bomb.length; i += 2) {
      bomb[i] = 0x0a; // an empty operation
    }
    refuse(bomb);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    refuse(bomb);
    long took = threads.getThreadAllocatedBytes(thread) - before;
    assertTrue(took < 100_000, took + " bytes were allocated");
  }

  private void refuse(byte[] bomb) {
    StatusRuntimeException refusal = assertThrows(StatusRuntimeException.class, () -> parse(bomb));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.getStatus().getCode());
  }

  @Test
  void whatIsNoProtobufIsRefused() {
    assertThrows(StatusRuntimeException.class, () -> parse(new byte[] {0x0a, 5, 1}));
  }
}
