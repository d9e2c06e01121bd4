package rpcbench.load;

/** The next action of a free slot. */
enum NextStep {
  CALL,
  IDLE,
  OVER
}
