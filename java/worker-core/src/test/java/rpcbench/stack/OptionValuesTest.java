package rpcbench.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class OptionValuesTest {
  private static final Info.Option TRANSPORT =
      Info.Option.word("transport", "What carries bytes.", true, true, List.of("nio", "epoll", "kqueue"));
  private static final Info.Option DIRECT = Info.Option.flag("direct", "Without an executor.", true, true);

  private static Info.Option number(String name, long min, long max) {
    return Info.Option.number(name, "A number.", true, true, min, max, "");
  }

  private final OptionValues values = new OptionValues(
      Map.of("threads", "8", "many", "9999999999", "direct", "true", "transport", "kqueue", "plus", "+8", "zero", "08"));

  @Test
  void whatIsGivenIsReadAndElseTheDefault() throws Exception {
    OptionValues none = new OptionValues(Map.of());
    assertEquals(8, values.number(number("threads", 8, 8), 5));
    assertEquals(5, values.number(number("window", 1, 9), 5));
    assertEquals(7, none.number(Info.Option.number("window", "A number.", true, true, 1, 9, "7"), 5));
    assertTrue(values.flag(DIRECT));
    assertEquals(false, none.flag(DIRECT));
    assertEquals("kqueue", values.word(TRANSPORT));
    assertEquals("nio", none.word(TRANSPORT));
    assertEquals("8", values.word(new Info.Option("threads", "Any text.", true, true)));
  }

  @Test
  void whatAnOptionDoesNotTakeIsRefused() {
    refused("the option threads is \"8\"; it must be a whole number from 9 to 10", () -> values.number(number("threads", 9, 10), 9));
    refused("the option many is \"9999999999\"; it must be a whole number from 1 to 5", () -> values.number(number("many", 1, 5), 1));
    refused("the option direct is \"true\"; it must be a whole number from 1 to 5", () -> values.number(number("direct", 1, 5), 1));
    refused("the option plus is \"+8\"; it must be a whole number from 1 to 9", () -> values.number(number("plus", 1, 9), 1));
    refused("the option zero is \"08\"; it must be a whole number from 1 to 9", () -> values.number(number("zero", 1, 9), 1));
    refused("the option transport is \"kqueue\"; it must be nio or epoll",
        () -> values.word(Info.Option.word("transport", "One of two.", true, true, List.of("nio", "epoll"))));
    refused("the option threads is \"8\"; it must be a, b or a whole number from 1 to 5",
        () -> values.word(new Info.Option("threads", "Both.", true, true, List.of("a", "b"), new Info.Option.Numbers(1, 5), "a")));
  }

  private static void refused(String why, Executable read) {
    CallException refusal = assertThrows(CallException.class, read);
    assertEquals(Code.INVALID_ARGUMENT, refusal.code());
    assertEquals(why, refusal.getMessage());
  }
}
