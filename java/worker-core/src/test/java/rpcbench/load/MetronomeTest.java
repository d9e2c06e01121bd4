package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.stack.Call;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger;
import rpcbench.stack.MessageClock;
import rpcbench.stack.MessageTime;
import rpcbench.stack.MessageTimes;
import rpcbench.stack.Method;

/** Wake-ups, and the messages that are sent by them, in virtual time. */
class MetronomeTest {
  private VirtualTime time;
  private long origin;
  private final List<String> seen = new ArrayList<>();

  /** Time belongs to the thread that makes it, which is the test's alone. */
  private Metronome begin() {
    time = new VirtualTime();
    origin = time.nowNs();
    return new Metronome(time);
  }

  private void see(String what) {
    seen.add(what + " " + (time.nowNs() - origin) / MS);
  }

  @Test
  void eachIsWokenWhenItAsked() {
    try (Metronome metronome = begin()) {
      LongConsumer late = metronome.beat(() -> see("late"));
      LongConsumer soon = metronome.beat(() -> see("soon"));
      LongConsumer moved = metronome.beat(() -> see("moved"));
      late.accept(origin + 900 * MS);
      time.sleepNs(100 * MS); // the metronome waits for the late one now
      soon.accept(origin + 103 * MS);
      moved.accept(origin + 200 * MS);
      moved.accept(origin + 300 * MS);
      time.sleepNs(SECOND);
    }
    assertEquals(List.of("soon 103", "moved 300", "late 900"), seen);
  }

  @Test
  void thoseOfTheSameTimeAreAllWoken() {
    try (Metronome metronome = begin()) {
      for (String name : List.of("first", "second", "third")) {
        metronome.beat(() -> see(name)).accept(origin + 10 * MS);
      }
      time.sleepNs(SECOND);
    }
    assertEquals(List.of("first 10", "second 10", "third 10"), seen);
  }

  /** Nothing within the calls of these kinds is timed, and so they pay for no clock. */
  @ParameterizedTest
  @ValueSource(strings = {Kind.UNARY, Kind.UPLOAD, Kind.PING_PONG})
  void callsInWhichNothingIsTimedReadNoClock(String kind) {
    Sender sender = new Sender(null, kind, 1);
    sender.begin();
    sender.times.reply();
    assertEquals(1, sender.sent);
    assertEquals(0, sender.clockReads);
  }

  @Test
  void nobodyIsWokenAfterTheEnd() {
    Metronome metronome = begin();
    metronome.beat(() -> see("woken")).accept(origin + 10 * MS);
    metronome.close();
    time.sleepNs(SECOND);
    assertEquals(List.of(), seen);
  }

  @Test
  void oneThatFailsStopsNoOthers() {
    try (Metronome metronome = begin()) {
      LongConsumer bad = metronome.beat(() -> {
        see("bad");
        throw new ArithmeticException("long overflow");
      });
      LongConsumer good = metronome.beat(() -> see("good"));
      bad.accept(origin + 100 * MS);
      good.accept(origin + 200 * MS);
      time.sleepNs(SECOND);
    }
    assertEquals(List.of("bad 100", "good 200"), seen);
  }

  /**
   * A stream of 5 messages at 10 a second, begun at 50 ms: message k is due k gaps after that. The connection takes none from 160
   * to 370 ms, so that two are late and are sent at once, and the last is on time again.
   */
  @Test
  void lateMessagesDelayNoOthers() {
    try (Metronome metronome = begin()) {
      Sender sender = new Sender(metronome, Kind.STREAM, 5);
      time.sleepNs(50 * MS);
      sender.begin();
      time.sleepNs(110 * MS);
      sender.full = true;
      time.sleepNs(210 * MS);
      sender.full = false;
      sender.send();
      time.sleepNs(10 * MS);
      for (int i = 0; i < 4; i++) {
        sender.times.reply();
      }
      time.sleepNs(100 * MS);
      sender.times.reply();
      sender.times.reply(); // of no message
      assertEquals(1, sender.ledger.traffic().unpaired());
    }
    assertEquals(
        List.of(
            "MESSAGE_LAG 0 at 50", "sent 50", "MESSAGE_LAG 0 at 150", "sent 150", "MESSAGE_LAG 120 at 370", "sent 370",
            "MESSAGE_LAG 20 at 370", "sent 370", "FIRST_REPLY 330 at 380", "MESSAGE 330 at 380", "MESSAGE 230 at 380",
            "MESSAGE 130 at 380", "MESSAGE 30 at 380", "MESSAGE_LAG 0 at 450", "sent 450", "MESSAGE 30 at 480"),
        seen);
  }

  /** Sends the messages of one call as an adapter does. */
  private final class Sender implements MessageClock {
    final Ledger ledger = new Ledger();
    final MessageTimes times;
    private final Metronome metronome;
    private final double perSec;
    private final int count;
    private int sent;
    private int clockReads;
    private boolean begun;
    boolean full;

    Sender(Metronome metronome, String kind, int count) {
      this.metronome = metronome;
      this.count = count;
      this.perSec = metronome == null ? 0 : 10;
      Method method = new Method("a.B/C", null, List.of(), "", 1, ledger, this);
      this.times = new MessageTimes(new Call(kind, method, count, 0), this::send);
    }

    void begin() {
      times.begin();
      begun = true;
      send();
    }

    void send() {
      while (begun && !full && sent < count && times.sending(sent)) {
        sent++;
        if (metronome != null) {
          see("sent");
        }
      }
    }

    @Override
    public long nowNs() {
      clockReads++;
      return metronome == null ? 0 : time.nowNs();
    }

    @Override
    public double perSec() {
      return perSec;
    }

    @Override
    public LongConsumer beat(Runnable wake) {
      return metronome.beat(wake);
    }

    @Override
    public void record(int slot, MessageTime of, long ns) {
      see(of + " " + ns / MS + " at");
    }

    @Override
    public int nextSlot() {
      return 0;
    }
  }
}
