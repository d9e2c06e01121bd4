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
  private static final Info.Option RETRY =
      Info.Option.flag("retry", "true lets the library retry calls, as it does by default.", true, false);
  private static final Info.Option PREFETCH = Info.Option.number(
      "prefetch_messages",
      "Messages of a stream that a client asks for ahead; 1 is one after the other, as generated stubs do.", true, false,
      1, 1 << 16, "1");
  private static final Info.Option SEND_DEADLINE = Info.Option.flag(
      "send_deadline", "true sends the deadline with every call, so the library enforces it too; false: only the worker does.",
      true, false);

  public static final List<Info.Option> INFO = List.of(RETRY, PREFETCH, SEND_DEADLINE);

  /** Reads the options that are given. */
  public static ClientOptions read(Map<String, String> given) throws CallException {
    OptionValues values = new OptionValues(given);
    return new ClientOptions(
        values.flag(RETRY), values.number(PREFETCH, 1), values.flag(SEND_DEADLINE), Codec.read(given));
  }
}
