package rpcbench.http;

/** Counts the operations of a batch in JSON before it is decoded. */
final class JsonBatch {
  /** The braces and commas of a message that don't belong to its operations, with some to spare. */
  private static final int AROUND = 16;

  private JsonBatch() {}

  /**
   * Reports whether a message has more than max operations. Each has a brace and at most four commas: between its four fields,
   * and one after it. Nothing else in a message has either.
   */
  static boolean exceeds(byte[] text, int max) {
    long braces = 0;
    long commas = 0;
    for (byte b : text) {
      if (b == '{') {
        braces++;
      } else if (b == ',') {
        commas++;
      }
    }
    return braces > (long) max + AROUND || commas > 4L * max + AROUND;
  }
}
