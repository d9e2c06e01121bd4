package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Recipe;

class RecipesTest {
  @TempDir private Path dir;

  private static String token(Path file) throws FaultException {
    return Recipes.token(Recipe.newBuilder().setToken("old").setTokenFile(file.toString()).build());
  }

  private static void assertRefused(Path file, String why) {
    String said = assertThrows(FaultException.class, () -> token(file)).getMessage();
    assertTrue(said.contains(file + ": " + why), said);
  }

  @Test
  void aTokenIsReadAgain() throws Exception {
    Path file = dir.resolve("token");
    Files.writeString(file, "new\n");
    assertEquals("new", token(file));
    assertEquals("new", token(Files.createSymbolicLink(dir.resolve("link"), file)));
  }

  @Test
  void aClientHasOneOfTheParts() {
    Recipe recipe = Recipe.newBuilder().setMethod("a.B/C").setPart(3).setParts(3).build();
    FaultException fault =
        assertThrows(FaultException.class, () -> Recipes.method(Connect.getDefaultInstance(), recipe, null));
    assertTrue(fault.getMessage().contains("there is no part 3 of 3"), fault.getMessage());
  }

  @Test
  void aTokenHasAnEnd() throws Exception {
    assertRefused(Path.of("/dev/zero"), "it is not a regular file");
    assertRefused(dir, "it is not a regular file");
    Path file = dir.resolve("token");
    Files.writeString(file, "a".repeat((64 << 10) + 1));
    assertRefused(file, "the token is longer than 65536 bytes");
  }
}
