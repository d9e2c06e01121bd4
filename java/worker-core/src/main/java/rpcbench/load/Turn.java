package rpcbench.load;

/** The next action of a free slot. */
enum Turn {
  CALL,
  IDLE,
  OVER
}
