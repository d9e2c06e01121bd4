package rpcbench.stack;

/**
 * The calibration that every {@link Caller} of {@link Kind#ENCODE} and {@link Kind#DECODE} has, found when it is created, before
 * the measurement.
 */
public interface Calibrated {
  /** Operations in one call, at least 1. */
  long repeat();

  /** The size of the message as the codec writes it. */
  long encodedBytes();

  /** Bytes of that encoding through gzip at the default level; of a gzip codec, {@link #encodedBytes}. */
  long gzippedBytes();

  /** Returns the bytes before compression of a gzip codec; otherwise {@link #encodedBytes}. */
  long plainBytes();
}
