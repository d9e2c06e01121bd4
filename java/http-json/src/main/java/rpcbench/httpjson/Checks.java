package rpcbench.httpjson;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import rpcbench.stack.Bounds;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.ServeConfig;

/** Refuses, in one sentence each, what a stack can't do. */
final class Checks {
  private Checks() {}

  static void serve(Info info, ServeConfig config) throws CallException {
    word(info, "network", config.network(), info.networks());
    options(info, "server", config.options(), info.options().stream().filter(Info.Option::server).toList());
  }

  static void dial(Info info, DialConfig config) throws CallException {
    word(info, "network", config.network(), info.networks());
    word(info, "compression", config.compression(), info.compressions());
    if (config.inFlight() < 1) {
      throw refusal("in_flight is " + config.inFlight() + ", and must be at least 1");
    }
    options(info, "client", config.options(), info.options().stream().filter(Info.Option::client).toList());
  }

  static void call(Info info, Call call, int slot, int inFlight) {
    if (!Kind.UNARY.equals(call.kind())) {
      throw new IllegalArgumentException(info.name() + " has no Caller of kind \"" + call.kind() + "\"");
    }
    if (slot < 0 || slot >= inFlight) {
      throw new IllegalArgumentException(
          "slot is " + slot + ", and must be at least 0 and less than " + inFlight);
    }
    size("the request's payload", call.request().length);
    size("the reply's payload", call.responseBytes());
    String refusal =
        Bounds.batchRefusal(call.kind(), call.batch(), Math.max(call.request().length, call.responseBytes()));
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
  }

  private static void size(String what, int bytes) {
    if (bytes < 0 || bytes > Bounds.MESSAGE_BYTES_MAX) {
      throw new IllegalArgumentException(
          what + " has " + bytes + " bytes, and may have 0 to " + Bounds.MESSAGE_BYTES_MAX);
    }
  }

  /** Reads a whole number from least to most; missing is what it is where the option is not given. */
  static int number(Map<String, String> options, String name, int least, int most, int missing)
      throws CallException {
    String text = options.get(name);
    if (text == null) {
      return missing;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as of a number out of range.
    }
    throw refusal(
        "option " + name + " is \"" + text + "\", and must be a whole number from " + least + " to " + most);
  }

  /** Reads true or false; false where the option is not given. */
  static boolean flag(Map<String, String> options, String name) throws CallException {
    String text = options.getOrDefault(name, "false");
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw refusal("option " + name + " is \"" + text + "\", and must be true or false");
    };
  }

  private static void word(Info info, String what, String word, List<String> known) throws CallException {
    if (!known.contains(word)) {
      throw refusal(info.name() + " has no " + what + " \"" + word + "\"; it has " + String.join(", ", known));
    }
  }

  private static void options(Info info, String side, Map<String, String> given, List<Info.Option> has)
      throws CallException {
    List<String> known = has.stream().map(Info.Option::name).toList();
    TreeSet<String> unknown = new TreeSet<>(given.keySet());
    known.forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw refusal(
          String.format(
              "%s has no %s option \"%s\"; it has %s",
              info.name(),
              side,
              String.join("\", \"", unknown),
              known.isEmpty() ? "none" : String.join(", ", known)));
    }
  }

  static CallException badAddress(DialConfig config, Exception cause) {
    return new CallException(
        Code.INVALID_ARGUMENT, "the address is \"" + config.address() + "\", and must be host:port", cause);
  }

  private static CallException refusal(String why) {
    return new CallException(Code.INVALID_ARGUMENT, why);
  }
}
