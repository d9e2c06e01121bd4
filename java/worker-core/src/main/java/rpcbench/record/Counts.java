package rpcbench.record;

/**
 * Calls that are done.
 *
 * @param errors unsent and unfinished ones too
 * @param logs the logarithms of OK calls' responses in ns, added up
 */
public record Counts(long ok, long errors, double logs) {
  /** Returns the geometric mean of the responses of OK calls, in ns; 0 if there are none. */
  public long responseMeanNs() {
    return ok == 0 || logs <= 0 ? 0 : Math.round(Math.exp(logs / ok));
  }
}
