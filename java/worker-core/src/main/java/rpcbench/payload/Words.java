package rpcbench.payload;

/** The random words that payloads and draws are made of: word(seed, i) of Go's {@code stack.Payload}. */
public final class Words {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Words() {}

  /** Returns output i, from 0, of SplitMix64 started with seed. */
  public static long word(long seed, long i) {
    long z = seed + (i + 1) * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Returns a number below n, which counts without a sign, of a random word: the upper half of their product. */
  public static long below(long word, long n) {
    long mask = 0xFFFFFFFFL;
    long lows = (word & mask) * (n & mask);
    long middle = (word >>> 32) * (n & mask) + (lows >>> 32);
    long other = (word & mask) * (n >>> 32) + (middle & mask);
    return (word >>> 32) * (n >>> 32) + (middle >>> 32) + (other >>> 32);
  }
}
