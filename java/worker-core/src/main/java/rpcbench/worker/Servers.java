package rpcbench.worker;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.Info;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.Limits;
import rpcbench.worker.v1.Worker.Serve;

/** Starts the server of a Serve. */
final class Servers {
  private Servers() {}

  static Server start(Serve c, List<Stack> stacks, Wire wire) throws FaultException {
    Stack stack = Check.stack("serve", c.getStack(), stacks);
    Info info = stack.info();
    Check.can("serve", info, info.serves());
    Check.word("serve.network", info, c.getNetwork(), info.networks());
    Check.word("serve.security.mode", info, c.getSecurity().getMode(), info.securities());
    Check.options("serve", info, c.getOptionsMap(), Info.Option::server);
    Check.payload("serve.payload", c.getPayload());
    checkAddress(c);
    Check.refuse(c.getPorts() > 1, "serve.ports", "this worker's servers have one");
    ServeConfig config =
        new ServeConfig(
            c.getNetwork(),
            c.getAddress(),
            Security.ofServer(c.getSecurity()),
            Guard.of(c),
            new Replies(c.getPayload(), c.getSeed()),
            limits(c.getLimits()),
            wire,
            Map.copyOf(c.getOptionsMap()),
            DrawnCalls.store(info, c));
    return serve(stack, config);
  }

  private static ServerLimits limits(Limits c) throws FaultException {
    Check.refuse(c.getHeaderNs() < 0, "serve.limits.header_ns", c.getHeaderNs() + " is negative");
    Check.refuse(c.getIdleNs() < 0, "serve.limits.idle_ns", c.getIdleNs() + " is negative");
    return new ServerLimits(
        number(c.getRequestBytes()),
        number(c.getResponseBytes()),
        number(c.getBatch()),
        number(c.getConnections()),
        number(c.getStreams()),
        c.getHeldBytes() < 0 ? Long.MAX_VALUE : c.getHeldBytes(),
        c.getHeaderNs(),
        c.getIdleNs());
  }

  /** Converts an unsigned 32-bit limit. One that does not fit is no limit. */
  private static int number(int limit) {
    return limit < 0 ? Integer.MAX_VALUE : limit;
  }

  private static Server serve(Stack stack, ServeConfig config) throws FaultException {
    try {
      return stack.serve(config);
    } catch (IOException e) {
      String where = "can't listen at " + config.address();
      throw new FaultException("serve.address", where + ": " + CallException.reason(e));
    } catch (Exception e) {
      throw new FaultException("serve", CallException.reason(e));
    }
  }

  /** Refuses a bad address here, because each library reads addresses differently. */
  private static void checkAddress(Serve c) throws FaultException {
    Check.refuse(c.getAddress().isEmpty(), "serve.address", "it is empty");
    try {
      if (c.getNetwork().equals("tcp")) {
        Address.parse(c.getAddress());
      }
    } catch (CallException e) {
      throw new FaultException("serve.address", e.getMessage());
    }
  }
}
