package rpcbench.load;

/** How an arrival ended. */
public enum Fate {
  /** It ended, with success or failure. */
  ANSWERED,
  /** Due, and never sent. */
  UNSENT,
  /** Sent, and never answered before the drain ended. */
  UNFINISHED
}
