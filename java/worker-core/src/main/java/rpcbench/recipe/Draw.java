package rpcbench.recipe;

import java.time.Instant;
import java.util.function.Supplier;

/** One message's, or entry's: all that the values of functions depend on. Worker.proto defines them. */
final class Draw {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio

  // Constant of PCG-DXSM, as in Go's math/rand/v2.
  private static final long MULTIPLIER_HIGH = 2549297995355413924L;
  private static final long MULTIPLIER_LOW = 4865540595714422341L;
  private static final long INCREMENT_HIGH = 6364136223846793005L;
  private static final long INCREMENT_LOW = 1442695040888963407L;
  private static final long CHEAP_MULTIPLIER = 0xDA942042E4DD58B5L;

  /**
   * What is drawn from.
   *
   * @param values the seed of all draws
   * @param uuids another one, of UUIDs; 0 is none
   */
  record Seeds(long values, long uuids) {
    static final Seeds NONE = new Seeds(0, 0);
  }

  private final Seeds seeds;
  final long call;
  final int message; // its number in its stream
  private final Supplier<Instant> clock;
  private Instant now; // null before it was asked for
  private final long scope;
  private long high; // halves of the state
  private long low;

  Draw(Seeds seeds, long call, int message, long scope, Supplier<Instant> clock) {
    this.seeds = seeds;
    this.call = call;
    this.message = message;
    this.scope = scope;
    this.clock = clock;
  }

  /** The time, which is the same for all values. */
  Instant now() {
    if (now == null) {
      now = clock.get();
    }
    return now;
  }

  /** Continues with the draws of a place. */
  void begin(int place) {
    begin(seeds.values() ^ ((scope << 20) + place + 1) * GOLDEN, call);
  }

  /** Returns which of a number of requests the call has: in turn, or by chance. The next draw must begin anew. */
  int pick(boolean sample, int n) {
    return pick(sample, n, call);
  }

  /** Returns which of a number of rows the call has, as pick does, and drawn apart from the request. */
  int pickRow(boolean sample, int n) {
    return pick(sample, n, ~call);
  }

  private int pick(boolean sample, int n, long low) {
    if (n == 1) {
      return 0;
    }
    if (!sample) {
      return (int) Long.remainderUnsigned(call, n);
    }
    begin(~seeds.values(), low); // different from what call_uuid draws
    return (int) below(n);
  }

  /** Continues with the draws that all places of a call share. */
  void beginCall() {
    begin(seeds.values(), call);
  }

  /** Continues with the draws of a UUID. */
  void beginUuid() {
    if (seeds.uuids() != 0) {
      long high = next() ^ seeds.uuids();
      begin(high, next());
    }
  }

  void begin(long high, long low) {
    this.high = high;
    this.low = low;
  }

  long next() {
    long product = low * MULTIPLIER_LOW;
    long carried = upperHalf(low, MULTIPLIER_LOW) + high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH;
    low = product + INCREMENT_LOW;
    high = carried + INCREMENT_HIGH + (Long.compareUnsigned(low, product) < 0 ? 1 : 0);
    long mixed = high;
    mixed ^= mixed >>> 32;
    mixed *= CHEAP_MULTIPLIER;
    mixed ^= mixed >>> 48;
    return mixed * (low | 1);
  }

  /** A number from 0 to below n, which counts without a sign. */
  long below(long n) {
    return upperHalf(next(), n);
  }

  /** The upper half of a product without signs. */
  static long upperHalf(long a, long b) {
    long mask = 0xFFFFFFFFL;
    long lows = (a & mask) * (b & mask);
    long middle = (a >>> 32) * (b & mask) + (lows >>> 32);
    long other = (a & mask) * (b >>> 32) + (middle & mask);
    return (a >>> 32) * (b >>> 32) + (middle >>> 32) + (other >>> 32);
  }
}
