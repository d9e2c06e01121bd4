package rpcbench.load;

/** How an arrival ended. */
public enum Fate {
  /** Well or with a failure. */
  ANSWERED,
  /** Due, and never sent. */
  UNSENT,
  /** Sent, and never answered before the drain ended. */
  UNFINISHED
}
