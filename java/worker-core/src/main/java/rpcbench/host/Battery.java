package rpcbench.host;

/** What the machine's battery holds, if it has one and tells. It may be asked by any thread. */
public interface Battery {
  /** A machine that has none, or tells nothing of it. */
  Battery NONE = new Battery() {
    @Override
    public double level() {
      return -1;
    }

    @Override
    public long microampHours() {
      return -1;
    }
  };

  /** From 0 to 1; negative where it is unknown. */
  double level();

  /** Its charge in µAh, finer than the level; negative where it is unknown. */
  long microampHours();
}
