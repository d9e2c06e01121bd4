package rpcbench.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepliesTest {
  /** An answer of a message. */
  private record Answer(long id, byte[] payload) {
    Answer(long id, int bytes) {
      this(id, new byte[bytes]);
    }
  }

  private static final Answers<List<Answer>> LISTS =
      Answers.batch(
          message -> message, Answer::id, answer -> answer.payload.length, answer -> ByteBuffer.wrap(answer.payload));

  /** 0 is the byte that is right. */
  private static String check(ByteBuffer payload) {
    return payload.get(0) == 0 ? null : "it begins with " + payload.get(0);
  }

  private static Replies<List<Answer>> of(String kind, int messages, int batch, int slot) {
    Call call = new Call(kind, new byte[2], 4, messages, 1, RepliesTest::check).withBatch(batch);
    return new Replies<>(call, slot, LISTS);
  }

  /** The right answer to a message whose ids count up from first. */
  private static List<Answer> right(long first, int batch) {
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      answers.add(new Answer(first + i, 4));
    }
    return answers;
  }

  /** Makes a unary call, and returns what was wrong with its reply. */
  private static String unary(List<Answer> reply) {
    Replies<List<Answer>> replies = of(Kind.UNARY, 0, 3, 0);
    replies.begin();
    replies.add(reply);
    replies.end();
    CallException wrong = replies.verify();
    return wrong == null ? null : wrong.code() + ": " + wrong.getMessage();
  }

  @Test
  void answersInAnyOrderAreTheirOperations() {
    List<Answer> reply = right(0, 3);
    assertNull(unary(reply));
    Collections.reverse(reply);
    assertNull(unary(reply));
  }

  @Test
  void whatIsWrongWithABatchIsSaid() {
    assertEquals("MISMATCH: the message has 2 answers, expected 3", unary(right(0, 2)));
    assertEquals("MISMATCH: the message has 4 answers, expected 3", unary(right(0, 4)));
    assertEquals("MISMATCH: answer 3 has id 3; the operations have ids 0 to 2", unary(right(1, 3)));
    String foreign = "MISMATCH: answer 1 has id 18446744073709551615; the operations have ids 0 to 2";
    assertEquals(foreign, unary(right(-1, 3)));
    List<Answer> twice = right(0, 3);
    twice.set(2, twice.get(1));
    assertEquals("MISMATCH: operation 1 was answered twice", unary(twice));
    List<Answer> shorter = right(0, 3);
    shorter.set(1, new Answer(1, 3));
    assertEquals("MISMATCH: answer 2 has 3 bytes, expected 4", unary(shorter));
    List<Answer> other = right(0, 3);
    other.get(2).payload[0] = 7;
    assertEquals("MISMATCH: it begins with 7", unary(other));
  }

  @Test
  void noTwoOperationsInFlightHaveOneId() {
    Replies<List<Answer>> first = of(Kind.UPLOAD, 5, 3, 0);
    Replies<List<Answer>> second = of(Kind.UPLOAD, 5, 3, 1);
    first.begin();
    second.begin();
    assertEquals(List.of(0L, 3L, 12L), List.of(first.firstId(0), first.firstId(1), first.firstId(4)));
    assertEquals(1L << 40, second.firstId(0));
    first.begin();
    assertEquals(15, first.firstId(0), "after the 15 of the call before");
  }

  @Test
  void theAnswerToManyMessagesIsTheLastOnes() {
    Replies<List<Answer>> replies = of(Kind.UPLOAD, 5, 3, 0);
    replies.begin();
    assertTrue(replies.add(right(replies.firstId(4), 3)));
    replies.end();
    assertNull(replies.verify());
  }

  @Test
  void aBurstsAnswersComeInOrder() {
    Replies<List<Answer>> replies = of(Kind.BURST, 2, 3, 0);
    replies.begin();
    assertFalse(replies.add(right(0, 3)));
    assertTrue(replies.add(right(3, 3)));
    replies.end();
    assertNull(replies.verify());

    replies.begin();
    replies.add(right(9, 3));
    replies.add(right(6, 3));
    replies.end();
    assertEquals("answer 1 has id 9; the operations have ids 6 to 8", replies.verify().getMessage());
  }

  @Test
  void withoutBatchesLengthsAndTheLastBytesCount() {
    Replies<List<Answer>> replies = of(Kind.BURST, 2, 0, 0);
    replies.begin();
    replies.add(List.of(new Answer(0, 3)));
    replies.add(right(0, 1));
    replies.end();
    assertEquals("reply 1 has 3 bytes, expected 4", replies.verify().getMessage());
    replies.begin();
    replies.add(right(0, 1));
    replies.add(List.of(new Answer(0, new byte[] {9, 0, 0, 0})));
    replies.end();
    assertEquals("it begins with 9", replies.verify().getMessage());
    replies.begin();
    replies.add(right(0, 1));
    replies.end();
    assertEquals("1 replies came, expected 2", replies.verify().getMessage());
    replies.begin();
    assertNull(replies.verify(), "a failed call");
  }
}
