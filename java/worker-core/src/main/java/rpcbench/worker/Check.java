package rpcbench.worker;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import rpcbench.payload.Payload;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;

/** Checks the fields that Serve and Connect share, and throws a Fault about the first one that can't be satisfied. */
final class Check {
  private Check() {}

  /** Returns the stack of a name. */
  static Stack stack(String command, String name, List<Stack> stacks) throws FaultException {
    for (Stack stack : stacks) {
      if (stack.info().name().equals(name)) {
        return stack;
      }
    }
    throw new FaultException(command + ".stack", "this worker has no stack \"" + name + "\"");
  }

  static void can(String command, Info info, boolean able) throws FaultException {
    if (!able) {
      throw new FaultException(command + ".stack", info.name() + " can't " + command);
    }
  }

  /** Requires one of the stack's words for a field, or an empty field if the stack has none, as a codec has no network. */
  static void word(String field, Info info, String word, List<String> known) throws FaultException {
    if (!known.contains(word) && !(known.isEmpty() && word.isEmpty())) {
      throw new FaultException(field, info.name() + " has no \"" + word + "\"; " + offer(known));
    }
  }

  static void payload(String field, String kind) throws FaultException {
    if (!Payload.kinds().contains(kind)) {
      throw new FaultException(field, "\"" + kind + "\" is not a payload kind; " + offer(Payload.kinds()));
    }
  }

  /** Refuses options that the stack does not have on this side, and values that they do not take. */
  static void options(String command, Info info, Map<String, String> given, Predicate<Info.Option> side)
      throws FaultException {
    List<String> known = info.options().stream().filter(side).map(Info.Option::name).collect(Collectors.toList());
    TreeSet<String> unknown = new TreeSet<>(given.keySet());
    known.forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new FaultException(
          command + ".options", info.name() + " has no option \"" + unknown.first() + "\" here; " + offer(known));
    }
    for (Info.Option option : info.options()) {
      String value = side.test(option) ? given.get(option.name()) : null;
      String why = value == null ? null : option.refuse(value);
      if (why != null) {
        throw new FaultException(command + ".options", "the option " + option.name() + " of " + info.name() + " " + why);
      }
    }
  }

  static void refuse(boolean wrong, String field, String message) throws FaultException {
    if (wrong) {
      throw new FaultException(field, message);
    }
  }

  /** Throws a Fault if there is a reason to. */
  static void refuse(String why, String field) throws FaultException {
    refuse(why != null, field, why);
  }

  private static String offer(Collection<String> known) {
    return known.isEmpty() ? "it has none" : "it has " + String.join(", ", known);
  }
}
