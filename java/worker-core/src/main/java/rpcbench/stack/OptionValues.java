package rpcbench.stack;

import java.util.Map;

/** Reads the values of options, which come as text. One that its option does not take is refused in one sentence. */
public record OptionValues(Map<String, String> given) {
  /** Reads a number; missing if the option is not given and has no default. */
  public int number(Info.Option option, int missing) throws CallException {
    String text = word(option);
    return text.isEmpty() ? missing : Integer.parseInt(text);
  }

  /** Reads true or false. */
  public boolean flag(Info.Option option) throws CallException {
    return word(option).equals("true");
  }

  /** Reads a value; the default if the option is not given. */
  public String word(Info.Option option) throws CallException {
    String value = given.get(option.name());
    if (value == null) {
      return option.standard();
    }
    String why = option.refuse(value);
    if (why != null) {
      throw CallException.invalid("the option " + option.name() + " " + why);
    }
    return value;
  }
}
