package rpcbench.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLoopsTest {
  private final List<Integer> made = new ArrayList<>();

  private EventLoopGroup shared(Object kind, int threads) {
    return EventLoops.shared(kind, threads, n -> {
      made.add(n);
      return new DefaultEventLoopGroup(n); // which starts no thread before it has work
    });
  }

  @Test
  void eachKindAndNumberHasItsLoopsOnce() {
    EventLoopGroup two = shared("a", 2);
    assertSame(two, shared("a", 2));
    assertNotSame(two, shared("b", 2));
    assertNotSame(two, shared("a", 3));
    assertEquals(List.of(2, 2, 3), made);
  }
}
