package rpcbench.android.stack;

import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;

/** A client of the JVM's workers under another name. */
record Renamed(Info info, Stack stack) implements Stack {
  static Stack of(Stack stack, String name) {
    Info is = stack.info();
    Info info = new Info(
        name, is.protocol(), is.library(), false, is.calls(), is.kinds(), is.networks(), is.securities(), is.compressions(),
        is.multiplexed(), is.options(), is.messages(), is.codecs(), is.methods(), is.deviations(),
        is.sizes(), is.stores());
    return new Renamed(info, stack);
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    return stack.dial(config);
  }
}
