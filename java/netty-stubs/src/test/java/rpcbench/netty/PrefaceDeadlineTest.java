package rpcbench.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import rpcbench.stack.ServerLimits;

class PrefaceDeadlineTest {
  private static final long HEADER_NS = 5_000_000_000L;
  private final EmbeddedChannel accepted = new EmbeddedChannel();

  private static ServerLimits within(long ns) {
    return new ServerLimits(0, 0, 0, 0, 0, 0, ns, 0);
  }

  /** Returns whether the socket is open after that time of its event loop, whose clock the test moves. */
  private boolean isOpenAfter(long ns) {
    accepted.advanceTimeBy(ns, TimeUnit.NANOSECONDS);
    accepted.runScheduledPendingTasks();
    return accepted.isOpen();
  }

  @Test
  void aSocketWithoutAPrefaceIsClosedWhenTheTimeIsOver() {
    accepted.freezeTime();
    PrefaceDeadline.set(accepted, within(HEADER_NS));
    assertTrue(isOpenAfter(HEADER_NS - 1));
    assertFalse(isOpenAfter(1));
  }

  @Test
  void aSocketWithHttp2StaysOpen() {
    accepted.freezeTime();
    PrefaceDeadline.set(accepted, within(HEADER_NS));
    accepted.pipeline().addLast(new Http2ConnectionHandlerBuilder().server(true).frameListener(new Http2FrameAdapter()).build());
    assertTrue(isOpenAfter(2 * HEADER_NS));
  }

  @Test
  void withoutALimitASocketStaysOpen() {
    accepted.freezeTime();
    PrefaceDeadline.set(accepted, within(0));
    assertTrue(isOpenAfter(Long.MAX_VALUE / 4));
  }
}
