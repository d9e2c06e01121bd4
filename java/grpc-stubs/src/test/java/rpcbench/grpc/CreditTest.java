package rpcbench.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class CreditTest {
  /** Returns what is requested before the first message and after each of the others. */
  private static List<Integer> asked(int ahead, int messages) {
    List<Integer> asked = new ArrayList<>();
    Credit credit = new Credit(new Asked(asked), ahead);
    credit.open();
    for (int i = 0; i < messages; i++) {
      credit.take();
    }
    return asked;
  }

  @Test
  void messagesAreAskedForOneAfterTheOther() {
    assertEquals(Collections.nCopies(1 + 5, 1), asked(1, 5));
  }

  @Test
  void askedAheadHalfAreUnderWayWhileTheOthersAreRead() {
    assertEquals(List.of(64), asked(64, 31));
    assertEquals(List.of(64, 32, 32), asked(64, 64));
    assertEquals(List.of(5, 2, 2), asked(5, 5));
  }

  /** A call that only records requests. */
  private static final class Asked extends ClientCall<Object, Object> {
    private final List<Integer> asked;

    Asked(List<Integer> asked) {
      this.asked = asked;
    }

    @Override
    public void request(int messages) {
      asked.add(messages);
    }

    @Override
    public void start(Listener<Object> listener, Metadata metadata) {}

    @Override
    public void cancel(String message, Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(Object message) {}
  }
}
