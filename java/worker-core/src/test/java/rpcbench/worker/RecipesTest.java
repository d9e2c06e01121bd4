package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Recipe;

class RecipesTest {
  @Test
  void aClientHasOneOfTheParts() {
    Recipe recipe = Recipe.newBuilder().setMethod("a.B/C").setPart(3).setParts(3).build();
    FaultException fault =
        assertThrows(FaultException.class, () -> Recipes.method(Connect.getDefaultInstance(), recipe, null));
    assertTrue(fault.getMessage().contains("there is no part 3 of 3"), fault.getMessage());
  }
}
