package rpcbench.permission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PermissionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      value = {
        "...|''|root root:alice bob|''",
        "root:alice|''|root:alice root:alice:phone|root root:alic root:alicex root:bob alice",
        "root:alice:$|''|root:alice|root:alice:phone root",
        "root|root:bob|root root:alice root:bobby|root:bob root:bob:phone",
        "...|root:bob:$|root root:bob:phone|root:bob",
        "''|''|''|root",
      })
  void patternsMatchAsInVanadium(String in, String notIn, String allowed, String keptOut) {
    Permissions permissions = new Permissions(words(in), words(notIn));
    words(allowed).forEach(name -> assertEquals(true, permissions.allows(name), name));
    words(keptOut).forEach(name -> assertEquals(false, permissions.allows(name), name));
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":", "root::alice", "root:$:alice", "root:...", "a b", "a/b", "a\\b", "$", ":$", 
        "root:*", "root,alice", "root:[ab]", "root:a?"})
  void whatIsNoPatternIsNamed(String pattern) {
    for (boolean in : new boolean[] {true, false}) {
      List<String> list = List.of("root", pattern);
      var refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> new Permissions(in ? list : List.of(), in ? List.of() : list));
      assertEquals("\"" + pattern + "\" is not a pattern, such as root:alice", refused.getMessage());
    }
  }
}
