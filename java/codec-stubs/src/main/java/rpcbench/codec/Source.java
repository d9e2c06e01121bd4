package rpcbench.codec;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Draws values from the SplitMix64 words of a seed, as defined in {@link rpcbench.payload.Payload}. Each draw takes the next word
 * w, and a text one for every character. The Go worker's internal/stack/codec draws the same values.
 */
final class Source {
  private final SplittableRandom words;

  /** Starts at a seed, of which all 64 bits count, unsigned. */
  Source(long seed) {
    words = new SplittableRandom(seed);
  }

  long word() {
    return words.nextLong();
  }

  /** Returns a number from 0 to n − 1: w mod n, w unsigned. */
  int below(int n) {
    return (int) Long.remainderUnsigned(word(), n);
  }

  /** Returns a number from 1 to n: 1 + w mod n. */
  int upTo(int n) {
    return 1 + below(n);
  }

  /** Returns characters of printable ASCII: each 32 + w mod 95. */
  String text(int length) {
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = (byte) (' ' + below(95));
    }
    return new String(text, StandardCharsets.US_ASCII);
  }

  /** Returns any int: the upper 32 bits of w. */
  int integer() {
    return (int) (word() >>> 32);
  }

  /** Returns the highest bit of w. */
  boolean bool() {
    return word() < 0;
  }

  /**
   * Returns a number from [0, 1): the upper 24 bits of w, a full significand, divided by 2^24. It is finite and never −0. It has
   * a decimal of at most 9 digits that is far nearer to it than to any other float, beyond the error of a double. JSON thus loses
   * nothing, even if a library first reads it as a double.
   */
  float single() {
    return (word() >>> 40) * 0x1p-24f;
  }

  /** Returns a number from [0, 1): the upper 53 bits of w divided by 2^53. JSON loses nothing of it, with 17 digits. */
  double precise() {
    return (word() >>> 11) * 0x1p-53;
  }
}
