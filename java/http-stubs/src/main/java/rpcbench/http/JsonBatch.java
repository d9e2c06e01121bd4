package rpcbench.http;

/** Counts the operations of a batch in JSON before it is decoded. */
final class JsonBatch {
  /** How many objects and commas a message has beside its operations, and some to spare. */
  private static final int AROUND = 16;

  private JsonBatch() {}

  /**
   * Tells whether there are more operations than most: each opens a brace, and has a comma within and one behind. Nothing
   * else in such a message does either, strings included.
   */
  static boolean exceeds(byte[] text, int most) {
    long braces = 0;
    long commas = 0;
    for (byte b : text) {
      if (b == '{') {
        braces++;
      } else if (b == ',') {
        commas++;
      }
    }
    return braces > (long) most + AROUND || commas > 2L * most + AROUND;
  }
}
