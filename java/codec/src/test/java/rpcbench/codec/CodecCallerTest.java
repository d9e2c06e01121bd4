package rpcbench.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rpcbench.stack.Calibrated;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Kind;
import rpcbench.stack.Wire;

class CodecCallerTest {
  private static final DialConfig CONFIG = new DialConfig("", "", null, "", 1, new Wire(), Map.of());

  private static Call call(String kind, String codec, long sampleNs) {
    return new Call(kind, new Call.Codec("address-book", codec, 5, sampleNs));
  }

  private static CallException outcome(Caller caller) throws Exception {
    CompletableFuture<CallException> end = new CompletableFuture<>();
    caller.start(end::complete);
    return end.get();
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 20000000, 20000", // 1 us each, 20 ms
    "3000, 20000000, 6666",
    "1000, 10000000000, 10000000",
    "4000000, 20000000, 5",
    "1000000, 60000000000, 60000",
    "1000000000, 20000000, 1", // no call has less than one operation
  })
  void repeatMakesACallAsLongAsTheSample(long eachNs, long sampleNs, long want) throws Exception {
    AtomicLong now = new AtomicLong();
    assertEquals(want, Calibration.repeat(now::get, sampleNs, n -> now.addAndGet(n * eachNs)));
  }

  @ParameterizedTest
  @CsvSource({
    "10000000, 20000000, 100", // 10 ms each: a hundred take longer than ten samples, and a second
    "1000, 20000000, 200000",
    "1000, 1000, 100",
    "100000000, 20000000, 10",
    "1000, 10000000000, 1000000", // never longer than a second
  })
  void warmUpTakesAHundredOperationsAndTenSamples(long eachNs, long sampleNs, long want) throws Exception {
    AtomicLong now = new AtomicLong();
    AtomicLong operations = new AtomicLong();
    Calibration.repeat(
        now::get,
        sampleNs,
        n -> {
          operations.addAndGet(n);
          now.addAndGet(n * eachNs);
        });
    long timed = 1; // 1 + 2 + 4 + … up to a fifth of the sample, and the last number again
    long n = 1;
    while (n * eachNs < Math.min(sampleNs / 5, 2_000_000_000L)) {
      n *= 2;
      timed += n;
    }
    assertEquals(want + timed + n, operations.get());
  }

  /** Other activity on the machine may make an operation seem slow, but not twice in a row. */
  @Test
  void repeatIsOfOperationsThatNothingHeldUp() throws Exception {
    AtomicLong now = new AtomicLong();
    AtomicLong last = new AtomicLong();
    long repeat =
        Calibration.repeat(
            now::get,
            20_000_000,
            n -> {
              boolean heldUp = n == 8 && last.get() == 4 || n == 512 && last.get() == 512;
              now.addAndGet(n * 10_000 + (heldUp ? 5_000_000 : 0));
              last.set(n);
            });
    assertEquals(2000, repeat);
  }

  @Test
  void everyCodecIsCalibratedAndItsCallsAreRight() throws Exception {
    CodecStack stack = Main.stack();
    for (String codec : stack.info().codecs()) {
      for (String kind : stack.info().kinds()) {
        try (Conn conn = stack.dial(CONFIG)) {
          Caller caller = conn.caller(call(kind, codec, 1_000_000), 0);
          Calibrated found = (Calibrated) caller;
          int want = Main.codecs().get(codec).bind(Contents.make("address-book", 5)).encode().length;
          assertTrue(found.repeat() >= 1, kind + " " + codec);
          assertEquals(want, found.encodedBytes(), kind + " " + codec);
          assertEquals(codec.endsWith("gzip"), found.gzippedBytes() == found.encodedBytes(), kind + " " + codec);
          assertNull(outcome(caller), kind + " " + codec);
          assertNull(caller.after(), kind + " " + codec);
        }
      }
    }
  }

  /** Returns a stack whose clock advances a microsecond with each encoding, and whose encodings are modified by the hook. */
  private static CodecStack counting(AtomicLong operations, LongConsumer hook) {
    Codec codec =
        content ->
            new Codec.Operations() {
              @Override
              public Object object() {
                return content.plain();
              }

              @Override
              public byte[] encode() {
                hook.accept(operations.incrementAndGet());
                return new byte[0];
              }

              @Override
              public Object decode(byte[] encoded) {
                return content.plain();
              }
            };
    return new CodecStack("test", "test", Map.of("test", codec), () -> operations.get() * 1000);
  }

  @Test
  void aCallPerformsRepeatOperations() throws Exception {
    AtomicLong operations = new AtomicLong();
    try (Conn conn = counting(operations, n -> {}).dial(CONFIG)) {
      Caller caller = conn.caller(call(Kind.ENCODE, "test", 777_000), 0);
      assertEquals(777, ((Calibrated) caller).repeat());
      long before = operations.get();
      assertNull(outcome(caller));
      assertEquals(777, operations.get() - before);
    }
  }

  @Test
  void aCallThatIsCancelledEnds() throws Exception {
    AtomicLong operations = new AtomicLong();
    AtomicLong stop = new AtomicLong(-1);
    Caller[] caller = new Caller[1];
    LongConsumer hook =
        n -> {
          if (n == stop.get()) {
            caller[0].cancel();
          }
        };
    try (Conn conn = counting(operations, hook).dial(CONFIG)) {
      caller[0] = conn.caller(call(Kind.ENCODE, "test", 6_400_000), 0);
      long before = operations.get();
      stop.set(before + 250);
      assertEquals(Code.CANCELLED, outcome(caller[0]).code());
      assertEquals(300, operations.get() - before); // the stretch of 100 is finished
      assertNull(outcome(caller[0]), "the next call is another one");
    }
  }

  @Test
  void aFailedOperationFailsTheCall() throws Exception {
    AtomicLong operations = new AtomicLong();
    AtomicLong fail = new AtomicLong(-1);
    LongConsumer hook =
        n -> {
          if (n == fail.get()) {
            throw new IllegalStateException("broken");
          }
        };
    try (Conn conn = counting(operations, hook).dial(CONFIG)) {
      Caller caller = conn.caller(call(Kind.ENCODE, "test", 1_000_000), 0);
      fail.set(operations.get() + 7);
      CallException failure = outcome(caller);
      assertEquals(Code.INTERNAL, failure.code());
      assertTrue(failure.getMessage().contains("broken"), failure.getMessage());
    }
  }

  @Test
  void aWrongResultIsMismatch() throws Exception {
    byte[][] written = {new byte[0]};
    Codec codec =
        content ->
            new Codec.Operations() {
              @Override
              public Object object() {
                return content.plain();
              }

              @Override
              public byte[] encode() {
                return written[0];
              }

              @Override
              public Object decode(byte[] encoded) {
                return content.plain();
              }
            };
    AtomicLong now = new AtomicLong();
    CodecStack stack = new CodecStack("test", "test", Map.of("test", codec), () -> now.addAndGet(1000));
    try (Conn conn = stack.dial(CONFIG)) {
      Caller caller = conn.caller(call(Kind.ENCODE, "test", 1000), 0);
      written[0] = new byte[1];
      assertNull(outcome(caller));
      assertEquals(Code.MISMATCH, caller.after().code());
    }
  }
}
