package rpcbench.stack;

import java.util.ArrayList;
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
   * A setting of one stack, given as text. It declares the values that it takes, and {@link OptionValues} reads them by that
   * declaration. Without words and numbers it takes any text, which only the stack checks.
   *
   * @param name with the unit last: "flow_control_window_bytes"
   * @param help one sentence, with the unit, and with the default where standard can't say it
   * @param words the words that it takes
   * @param numbers the whole numbers that it takes; null for none
   * @param standard its default: giving it is the same as giving none; empty if there is no such value
   */
  public record Option(
      String name, String help, boolean client, boolean server, List<String> words, Numbers numbers, String standard) {
    /** The whole numbers from min to max, in decimal, without a plus or leading zeros. */
    public record Numbers(long min, long max) {}

    /** Creates an option that takes any text. */
    public Option(String name, String help, boolean client, boolean server) {
      this(name, help, client, server, List.of(), null, "");
    }

    /** Creates an option that is one of several words, the first of them by default. */
    public static Option word(String name, String help, boolean client, boolean server, List<String> words) {
      return new Option(name, help, client, server, words, null, words.get(0));
    }

    /** Creates an option that is true or false, false by default. */
    public static Option flag(String name, String help, boolean client, boolean server) {
      return word(name, help, client, server, List.of("false", "true"));
    }

    /** Creates an option that is a number from min to max; standard is empty if no number is the default. */
    public static Option number(
        String name, String help, boolean client, boolean server, long min, long max, String standard) {
      return new Option(name, help, client, server, List.of(), new Numbers(min, max), standard);
    }

    /** Returns the same option for servers only. */
    public Option ofServer() {
      return new Option(name, help, false, true, words, numbers, standard);
    }

    /** Returns why the option can't have a value, in a clause; null if it can. */
    public String refuse(String value) {
      if (words.isEmpty() && numbers == null || words.contains(value) || isNumber(value)) {
        return null;
      }
      List<String> values = new ArrayList<>(words);
      if (numbers != null) {
        values.add("a whole number from " + numbers.min() + " to " + numbers.max());
      }
      int last = values.size() - 1;
      String before = String.join(", ", values.subList(0, last));
      return "is \"" + value + "\"; it must be " + before + (last > 0 ? " or " : "") + values.get(last);
    }

    private boolean isNumber(String value) {
      if (numbers == null) {
        return false;
      }
      try {
        long number = Long.parseLong(value);
        return number >= numbers.min() && number <= numbers.max() && Long.toString(number).equals(value);
      } catch (NumberFormatException e) {
        return false;
      }
    }

    /** Returns the options that have none of these names. */
    public static List<Option> without(Set<String> names, List<Option> options) {
      return options.stream().filter(option -> !names.contains(option.name())).collect(Collectors.toList());
    }
  }
}
