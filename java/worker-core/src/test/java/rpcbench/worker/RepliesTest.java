package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import rpcbench.payload.Payload;

class RepliesTest {
  @Test
  void aReplyIsThePayloadOfItsLengthAndIsKept() {
    Replies replies = new Replies("random", 7);
    byte[] first = replies.apply(1000);
    assertArrayEquals(Payload.of("random", 7, 1000), first);
    assertSame(first, replies.apply(1000));
  }

  @Test
  void clientsThatAskForManyLengthsDoNotFillTheMemory() {
    Replies replies = new Replies("zeros", 1);
    for (int i = 0; i < 100; i++) {
      replies.apply(30_000_000 + i);
      assertTrue(replies.keptBytes() <= Replies.BYTES_MAX, "kept " + replies.keptBytes());
    }
    for (int length = 1; length <= 1000; length++) {
      replies.apply(length);
    }
    assertTrue(replies.keptBytes() <= Replies.LENGTHS_MAX * 1000, "kept " + replies.keptBytes());
  }
}
