package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import rpcbench.payload.Payload;

class ReplyPayloadsTest {
  @Test
  void aReplyIsThePayloadOfItsLengthAndIsKept() {
    ReplyPayloads payloads = new ReplyPayloads("random", 7);
    byte[] first = payloads.apply(1000);
    assertArrayEquals(Payload.of("random", 7, 1000), first);
    assertSame(first, payloads.apply(1000));
  }

  @Test
  void clientsThatAskForManyLengthsDoNotFillTheMemory() {
    ReplyPayloads payloads = new ReplyPayloads("zeros", 1);
    for (int i = 0; i < 100; i++) {
      payloads.apply(30_000_000 + i);
      assertTrue(payloads.keptBytes() <= ReplyPayloads.BYTES_MAX, "kept " + payloads.keptBytes());
    }
    for (int length = 1; length <= 1000; length++) {
      payloads.apply(length);
    }
    assertTrue(payloads.keptBytes() <= ReplyPayloads.LENGTHS_MAX * 1000, "kept " + payloads.keptBytes());
  }
}
