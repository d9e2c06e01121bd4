package rpcbench.http;

/** Counts the operations of a batch in JSON before it is decoded. */
final class JsonBatch {
  /** Objects and commas that a message has besides its operations, with some to spare. */
  private static final int AROUND = 16;

  private JsonBatch() {}

  /**
   * Tells whether a message has more than most operations. Each has a brace and two commas, one inside and one after it;
   * nothing else in a message has either.
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
