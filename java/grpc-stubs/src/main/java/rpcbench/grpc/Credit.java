package rpcbench.grpc;

import io.grpc.ClientCall;

/**
 * Asks a stream for messages some at a time: a request for each alone would wake the transport for each. What is asked
 * for and not yet read is bounded in bytes, too.
 */
final class Credit {
  private static final int MESSAGES_MAX = 32;
  private static final int BYTES_MAX = 1 << 20;

  private final ClientCall<?, ?> call;
  private final int step;
  private int taken;

  Credit(ClientCall<?, ?> call, long messageBytes) {
    this.call = call;
    this.step = (int) Math.max(1, Math.min(MESSAGES_MAX, BYTES_MAX / Math.max(1, messageBytes)));
  }

  /** Asks for the first messages, when the call has started. One step is always under way while another is read. */
  void open() {
    call.request(2 * step);
  }

  /** Notes that a message has come. */
  void take() {
    if (++taken == step) {
      taken = 0;
      call.request(step);
    }
  }
}
