package rpcbench.grpc;

import io.grpc.ClientCall;

/**
 * Asks a stream for messages: for one after each that has come, as generated stubs do, or ahead, so that the transport is
 * asked less often.
 */
final class Credit {
  private final ClientCall<?, ?> call;
  private final int ahead;
  private final int step;
  private int taken;

  /** Takes how many messages may be asked for and not have come. */
  Credit(ClientCall<?, ?> call, int ahead) {
    this.call = call;
    this.ahead = ahead;
    this.step = Math.max(1, ahead / 2); // half are under way while the others are read
  }

  /** Asks for the first messages, when the call has started. */
  void open() {
    call.request(ahead);
  }

  /** Notes that a message has come. */
  void take() {
    if (++taken == step) {
      taken = 0;
      call.request(step);
    }
  }
}
