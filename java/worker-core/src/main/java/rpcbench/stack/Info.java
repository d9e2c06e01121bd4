package rpcbench.stack;

import java.util.List;

/**
 * States what a stack is and can do, in the words of worker.v1's StackInfo.
 *
 * @param name unique, "grpc-java-netty"
 * @param protocol grpc, http-json or codec: sides of one protocol pair
 * @param library what it measures, with the version that runs: "io.grpc:grpc-netty 1.82.2"
 * @param multiplexed many calls share one connection
 * @param messages of encode and decode; else empty
 * @param codecs of encode and decode; else empty
 * @param methods it calls other services than ours: {@link Call#method}
 * @param deviations what its library does instead of what is asked of every stack
 * @param sizes its client sends requests, and takes replies, of lengths by chance: {@link Sizes}
 * @param stores its client makes {@link Accesses}, and its server has a {@link Store} for them
 */
public record Info(
    String name,
    String protocol,
    String library,
    boolean serves,
    boolean calls,
    List<String> kinds,
    List<String> networks,
    List<String> securities,
    List<String> compressions,
    boolean multiplexed,
    List<Option> options,
    List<String> messages,
    List<String> codecs,
    boolean methods,
    List<Deviation> deviations,
    boolean sizes,
    boolean stores) {

  /** Creates a stack without randomly drawn messages. */
  public Info(
      String name, String protocol, String library, boolean serves, boolean calls, List<String> kinds, List<String> networks,
      List<String> securities, List<String> compressions, boolean multiplexed, List<Option> options, List<String> messages,
      List<String> codecs, boolean methods, List<Deviation> deviations) {
    this(
        name, protocol, library, serves, calls, kinds, networks, securities, compressions, multiplexed, options, messages,
        codecs, methods, deviations, false, false);
  }

  /** Returns the same stack with support for random draws: sizes on a client, accesses to a store on both sides. */
  public Info drawing(boolean sizes, boolean stores) {
    return new Info(
        name, protocol, library, serves, calls, kinds, networks, securities, compressions, multiplexed, options, messages,
        codecs, methods, deviations, sizes, stores);
  }

  /** Creates a stack without deviations. */
  public Info(
      String name, String protocol, String library, boolean serves, boolean calls, List<String> kinds, List<String> networks,
      List<String> securities, List<String> compressions, boolean multiplexed, List<Option> options, List<String> messages,
      List<String> codecs, boolean methods) {
    this(
        name, protocol, library, serves, calls, kinds, networks, securities, compressions, multiplexed, options, messages,
        codecs, methods, List.of());
  }

  /**
   * What a library does instead of what a rule asks of every stack.
   *
   * @param rule REQUEST_BYTES
   * @param code the outcome of such a call instead
   * @param reason one sentence
   */
  public record Deviation(String rule, Code code, String reason) {
    /** A server refuses a request above {@link ServerLimits#requestBytes} with RESOURCE_EXHAUSTED. */
    public static final String REQUEST_BYTES = "serve.limits.request_bytes";
  }

  /**
   * A setting of one stack, given as a string and refused where it is unknown or can't be read.
   *
   * @param name units last: "flow_control_window_bytes"
   * @param help one sentence with the unit and the default
   */
  public record Option(String name, String help, boolean client, boolean server) {}
}
