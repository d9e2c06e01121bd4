package rpcbench.stack;

import java.util.List;
import java.util.Map;

/** Reads the values of options, which come as text. One that can't be read is refused in one sentence. */
public record OptionValues(Map<String, String> given) {
  /** Reads a whole number from min to max; missing if the option is not given. */
  public int number(String name, int min, int max, int missing) throws CallException {
    String text = given.get(name);
    if (text == null) {
      return missing;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    throw refusal(name, "a whole number from " + min + " to " + max);
  }

  /** Reads true or false; false if the option is not given. */
  public boolean flag(String name) throws CallException {
    return word(name, List.of("false", "true")).equals("true");
  }

  /** Reads one of several words; the first of them if the option is not given. */
  public String word(String name, List<String> words) throws CallException {
    String word = given.getOrDefault(name, words.get(0));
    if (!words.contains(word)) {
      throw refusal(name, String.join(" or ", words));
    }
    return word;
  }

  private CallException refusal(String name, String due) {
    return CallException.invalid("option " + name + " is \"" + given.get(name) + "\", and must be " + due);
  }
}
