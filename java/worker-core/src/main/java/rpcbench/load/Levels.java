package rpcbench.load;

import java.util.List;

/** Iterates forwards over the changes of a level, which is the stages' value rounded to a whole number. */
final class Levels {
  private final List<Stage> stages;
  private int stage; // that was reached; their number after the last change
  private long beganNs; // when it began
  private boolean entered; // its first level is among the changes that were read
  private long level;
  private long atNs;

  /** Begins with the level of the begin. */
  Levels(List<Stage> stages) {
    this.stages = stages;
    this.level = nearest(stages.get(0).from());
  }

  /** The level that was reached. */
  long level() {
    return level;
  }

  /** Returns when the level was reached. If that is in the future, the reader must wait for it. */
  long atNs() {
    return atNs;
  }

  /** Advances to the next change. Returns false if there is none. */
  boolean next() {
    for (; stage < stages.size(); stage++, entered = false) {
      Stage now = stages.get(stage);
      if (!entered) {
        entered = true;
        if (nearest(now.from()) != level) {
          return change(nearest(now.from()), beganNs);
        }
      }
      if (nearest(now.to()) != level) {
        int step = now.to() < now.from() ? -1 : 1;
        double part = (level + step / 2.0 - now.from()) / (now.to() - now.from());
        return change(level + step, beganNs + (long) (part * now.lengthNs()));
      }
      beganNs += now.lengthNs();
    }
    return false;
  }

  private boolean change(long to, long at) {
    level = to;
    atNs = at;
    return true;
  }

  private static long nearest(double value) {
    return Math.round(value);
  }
}
