package rpcbench.grpcjava;

import java.util.concurrent.TimeUnit;

/** Bounds that both sides keep. */
final class Limits {
  /** The largest payload of one message, internal/stack's MessageBytesMax. */
  static final int PAYLOAD_BYTES_MAX = 64 << 20;

  /** Room for what surrounds such a payload. */
  static final int MESSAGE_BYTES_MAX = PAYLOAD_BYTES_MAX + (1 << 10);

  /** gRPC's clients raise a shorter keep-alive to this, silently. */
  static final int KEEPALIVE_MS_MIN = 10_000;

  /** What opening a connection may take, and what closing one may. */
  static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  private Limits() {}
}
