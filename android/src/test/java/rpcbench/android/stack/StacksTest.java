package rpcbench.android.stack;

import static org.junit.Assert.assertEquals;

import org.junit.Test;
import rpcbench.httpjson.OkHttpStack;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;

public final class StacksTest {
  @Test
  public void theHTTPClientHasUnderItsNameHereWhatItHasElsewhere() {
    Info elsewhere = new OkHttpStack().info();
    Info here = Stacks.make().stream().map(Stack::info).filter(info -> info.name().equals(Stacks.HTTP)).findFirst().get();
    assertEquals(elsewhere.sizes(), here.sizes());
    assertEquals(elsewhere.stores(), here.stores());
    assertEquals(elsewhere.options(), here.options());
    assertEquals(elsewhere.kinds(), here.kinds());
  }
}
