package rpcbench.load;

import java.util.List;

/** A rate over time, read forwards. */
final class Curve {
  private static final double SECOND_NS = 1e9;

  private final List<Stage> stages;
  private int stage; // that was reached
  private double began; // when it began, in seconds
  private double before; // arrivals before it

  Curve(List<Stage> stages) {
    this.stages = stages;
  }

  /** Returns when that many arrivals are expected, in ns; infinity if the rate ended at 0. Counts must not decrease. */
  double reach(double count) {
    for (; stage < stages.size(); stage++) {
      Stage now = stages.get(stage);
      double all = now.arrivals();
      if (count - before < all) {
        return (began + now.within(count - before)) * SECOND_NS;
      }
      began += now.seconds();
      before += all;
    }
    double last = stages.get(stages.size() - 1).to();
    return last <= 0 ? Double.POSITIVE_INFINITY : (began + (count - before) / last) * SECOND_NS;
  }
}
