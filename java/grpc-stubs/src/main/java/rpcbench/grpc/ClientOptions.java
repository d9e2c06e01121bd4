package rpcbench.grpc;

import java.util.List;
import java.util.Map;
import rpcbench.stack.CallException;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;

/**
 * Options that every client of gRPC has.
 *
 * @param retry the library may make a call again
 * @param prefetchMessages how many messages of a stream are asked for ahead
 * @param codec what the messages of our services are, for stacks that have {@link Codec#option}
 * @param sendDeadline calls tell the server their deadline, and the library keeps it
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

  /** Reads those that are given. */
  public static ClientOptions read(Map<String, String> given) throws CallException {
    OptionValues values = new OptionValues(given);
    return new ClientOptions(
        values.flag(RETRY), values.number(PREFETCH, 1, PREFETCH_MAX, 1), values.flag(SEND_DEADLINE), Codec.read(given));
  }
}
