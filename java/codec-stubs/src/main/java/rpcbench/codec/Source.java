package rpcbench.codec;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Draws values from the SplitMix64 words of a seed, as {@link rpcbench.payload.Payload} defines them: each draw takes
 * the next word w, and a text one for every character. The Go worker's internal/stack/codec draws the same.
 */
final class Source {
  private final SplittableRandom words;

  /** All 64 bits of the seed count, without a sign. */
  Source(long seed) {
    words = new SplittableRandom(seed);
  }

  long word() {
    return words.nextLong();
  }

  /** A number from 0 to n − 1: w mod n, w without a sign. */
  int below(int n) {
    return (int) Long.remainderUnsigned(word(), n);
  }

  /** A number from 1 to n: 1 + w mod n. */
  int upTo(int n) {
    return 1 + below(n);
  }

  /** Characters of printable ASCII: each 32 + w mod 95. */
  String text(int length) {
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = (byte) (' ' + below(95));
    }
    return new String(text, StandardCharsets.US_ASCII);
  }

  /** Any int: the upper 32 bits of w. */
  int integer() {
    return (int) (word() >>> 32);
  }

  /** The uppermost bit of w. */
  boolean bool() {
    return word() < 0;
  }

  /**
   * From [0, 1): the upper 24 bits of w, a significand's worth, divided by 2^24. Such a number is finite, never −0, and
   * has a decimal of at most 9 digits that no other float is as near to, by far more than a double errs; so JSON loses
   * nothing of it, even where a library reads it as a double first.
   */
  float single() {
    return (word() >>> 40) * 0x1p-24f;
  }

  /** From [0, 1): the upper 53 bits of w divided by 2^53. JSON loses nothing of it, with 17 digits. */
  double precise() {
    return (word() >>> 11) * 0x1p-53;
  }
}
