package rpcbench.grpc;

import java.util.List;
import java.util.Map;
import rpcbench.stack.CallException;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;

/**
 * The options of every gRPC client.
 *
 * @param retry allows the library to retry calls
 * @param prefetchMessages the number of messages that a stream requests ahead
 * @param codec how our services' messages are represented, in stacks that have {@link Codec#option}
 * @param sendDeadline sends the deadline with each call, so that the library enforces it
 */
public record ClientOptions(boolean retry, int prefetchMessages, boolean sendDeadline, Codec codec) {
  private static final String RETRY = "retry";
  private static final String PREFETCH = "prefetch_messages";
  private static final String SEND_DEADLINE = "send_deadline";
  private static final int PREFETCH_MAX = 1 << 16;

  public static final List<Info.Option> INFO = List.of(
      new Info.Option(
          RETRY, "true lets the library retry calls, as it does by default; here the default is false.", true, false),
      new Info.Option(
          PREFETCH, "Messages of a stream that a client asks for ahead; default 1, one after the other, as generated stubs do.",
          true, false),
      new Info.Option(
          SEND_DEADLINE,
          "true sends the deadline with every call, so the library enforces it too; default false: only the worker does.",
          true, false));

  /** Reads the options that are given. */
  public static ClientOptions read(Map<String, String> given) throws CallException {
    OptionValues values = new OptionValues(given);
    return new ClientOptions(
        values.flag(RETRY), values.number(PREFETCH, 1, PREFETCH_MAX, 1), values.flag(SEND_DEADLINE), Codec.read(given));
  }
}
