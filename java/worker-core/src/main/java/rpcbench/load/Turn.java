package rpcbench.load;

/** What a free slot is to do. */
enum Turn {
  CALL,
  IDLE,
  OVER
}
