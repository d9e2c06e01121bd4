package rpcbench.load;

/**
 * A load that goes in a line from one value to another. A step is a stage whose values are equal.
 *
 * @param from arrivals per second, or slots that make calls, of all parts together
 */
public record Stage(double from, double to, long lengthNs) {
  private static final double SECOND_NS = 1e9;

  double seconds() {
    return lengthNs / SECOND_NS;
  }

  /** How many arrivals there are in it. */
  double arrivals() {
    return (from + to) / 2 * seconds();
  }

  /** Returns the seconds until that many arrivals: the root of from·t + slope·t²/2 = count, without cancellation of digits. */
  double within(double count) {
    if (count <= 0) {
      return 0;
    }
    double slope = (to - from) / seconds();
    return 2 * count / (from + Math.sqrt(Math.max(from * from + 2 * slope * count, 0)));
  }
}
