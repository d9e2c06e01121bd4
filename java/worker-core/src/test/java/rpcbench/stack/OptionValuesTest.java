package rpcbench.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class OptionValuesTest {
  private final OptionValues values =
      new OptionValues(Map.of("threads", "8", "many", "9999999999", "direct", "true", "transport", "kqueue"));

  @Test
  void whatIsGivenIsReadAndElseTheDefault() throws Exception {
    assertEquals(8, values.number("threads", 8, 8, 5));
    assertEquals(5, values.number("window", 1, 9, 5));
    assertTrue(values.flag("direct"));
    assertEquals(false, values.flag("indirect"));
    assertEquals("kqueue", values.word("transport", List.of("nio", "kqueue")));
    assertEquals("nio", values.word("loop", List.of("nio", "epoll")));
  }

  @Test
  void whatCannotBeReadIsRefused() {
    refused("option threads is \"8\", and must be a whole number from 9 to 10", () -> values.number("threads", 9, 10, 9));
    refused("option many is \"9999999999\", and must be a whole number from 1 to 5", () -> values.number("many", 1, 5, 1));
    refused("option direct is \"true\", and must be a whole number from 1 to 5", () -> values.number("direct", 1, 5, 1));
    refused("option threads is \"8\", and must be false or true", () -> values.flag("threads"));
    refused("option transport is \"kqueue\", and must be nio or epoll",
        () -> values.word("transport", List.of("nio", "epoll")));
  }

  private static void refused(String why, Executable read) {
    CallException refusal = assertThrows(CallException.class, read);
    assertEquals(Code.INVALID_ARGUMENT, refusal.code());
    assertEquals(why, refusal.getMessage());
  }
}
