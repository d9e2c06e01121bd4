package rpcbench.host;

/** The charge of the machine's battery, if it has one and reports it. Safe for concurrent use. */
public interface Battery {
  /** A machine without a battery, or that does not report it. */
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

  /** Returns the level from 0 to 1; negative if unknown. */
  double level();

  /** Returns the charge in µAh, which is finer than the level; negative if unknown. */
  long microampHours();
}
