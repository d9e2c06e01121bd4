package rpcbench.stack;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Describes a stack and its features, in the terms of worker.v1's StackInfo.
 *
 * @param name unique, "grpc-java-netty"
 * @param protocol grpc, http-json or codec: sides of one protocol pair
 * @param library the measured library, with the version that runs: "io.grpc:grpc-netty 1.85.1"
 * @param multiplexed many calls share one connection
 * @param messages of encode and decode; otherwise empty
 * @param codecs of encode and decode; otherwise empty
 * @param methods it calls other services than ours: {@link Call#method}
 * @param deviations where its library deviates from the requirements of every stack
 * @param sizes its client sends requests, and accepts replies, of random lengths: {@link Sizes}
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
   * A library's deviation from a requirement of every stack.
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
   * A setting of one stack, given as a string, and refused if it is unknown or invalid.
   *
   * @param name with the unit last: "flow_control_window_bytes"
   * @param help one sentence with the unit and the default
   */
  public record Option(String name, String help, boolean client, boolean server) {
    /** Returns the options that have none of these names. */
    public static List<Option> without(Set<String> names, List<Option> options) {
      return options.stream().filter(option -> !names.contains(option.name())).collect(Collectors.toList());
    }
  }
}
