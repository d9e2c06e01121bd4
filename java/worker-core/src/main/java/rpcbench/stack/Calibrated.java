package rpcbench.stack;

/**
 * What every {@link Caller} of {@link Kind#ENCODE} and {@link Kind#DECODE} is as well: what was found when it was made,
 * before anything is measured.
 */
public interface Calibrated {
  /** Operations in one call, at least 1. */
  long repeat();

  /** The size of the message as the codec writes it. */
  long encodedBytes();

  /** Bytes of that encoding through gzip at the default level; of a gzip codec, {@link #encodedBytes}. */
  long gzippedBytes();

  /** Of a gzip codec, bytes of what is compressed; of others {@link #encodedBytes}. */
  long plainBytes();
}
