package rpcbench.grpc;

import io.grpc.ClientCall;

/**
 * Requests a stream's messages: one after each that arrives, as generated stubs do, or several ahead, so that the transport is
 * called less often.
 */
final class Credit {
  private final ClientCall<?, ?> call;
  private final int ahead;
  private final int step;
  private int taken;

  /** Creates the credit of a call. At most ahead messages are requested and not yet received. */
  Credit(ClientCall<?, ?> call, int ahead) {
    this.call = call;
    this.ahead = ahead;
    this.step = Math.max(1, ahead / 2); // half are on their way while the others are read
  }

  /** Requests the first messages, once the call has started. */
  void open() {
    call.request(ahead);
  }

  /** Notes that a message has arrived. */
  void take() {
    if (++taken == step) {
      taken = 0;
      call.request(step);
    }
  }
}
