package rpcbench.permission;

import java.util.List;

/**
 * Access lists of name patterns. A name consists of words separated by colons, "root:alice:phone". A pattern P matches a name N
 * if P is "..." (all names), if N is P, or if N begins with P and a colon; "P:$" matches only P. notIn overrides in, and a name
 * in neither list is refused.
 */
public record Permissions(List<String> in, List<String> notIn) {
  private static final String EVERYBODY = "...";
  private static final String ONLY = ":$";

  /** @throws IllegalArgumentException if something is not a pattern; the message is one sentence that names it */
  public Permissions {
    in = List.copyOf(in);
    notIn = List.copyOf(notIn);
    in.forEach(Permissions::check);
    notIn.forEach(Permissions::check);
  }

  /** Reports whether the name is admitted. */
  public boolean allows(String name) {
    return matchesAny(in, name) && !matchesAny(notIn, name);
  }

  private static boolean matchesAny(List<String> patterns, String name) {
    return patterns.stream().anyMatch(pattern -> matches(pattern, name));
  }

  private static boolean matches(String pattern, String name) {
    if (pattern.equals(EVERYBODY)) {
      return true;
    }
    if (pattern.endsWith(ONLY)) {
      return name.equals(withoutOnly(pattern));
    }
    return name.startsWith(pattern) && (name.length() == pattern.length() || name.charAt(pattern.length()) == ':');
  }

  private static String withoutOnly(String pattern) {
    return pattern.endsWith(ONLY) ? pattern.substring(0, pattern.length() - ONLY.length()) : pattern;
  }

  private static void check(String pattern) {
    if (pattern.equals(EVERYBODY)) {
      return;
    }
    for (String word : withoutOnly(pattern).split(":", -1)) {
      if (!isWord(word)) {
        throw new IllegalArgumentException("\"" + pattern + "\" is not a pattern, such as root:alice");
      }
    }
  }

  /** Characters of other systems' patterns and lists: "root:*" would match no name, and would not exclude any in notIn. */
  private static boolean isStrange(int c) {
    return Character.isWhitespace(c) || Character.isISOControl(c) || "/\\*?[]{}(),;|\"'`".indexOf(c) >= 0;
  }

  private static boolean isWord(String word) {
    return !word.isEmpty()
        && !word.equals("$")
        && !word.equals(EVERYBODY)
        && word.chars().noneMatch(Permissions::isStrange);
  }
}
