package rpcbench.worker;

import java.io.IOException;
import java.util.ArrayList;
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
  /** The maximum number of ports of one server. */
  private static final int PORTS_MAX = 1000;

  private Servers() {}

  static Ports start(Serve c, List<Stack> stacks, Wire wire) throws FaultException {
    Stack stack = Check.stack("serve", c.getStack(), stacks);
    Info info = stack.info();
    Check.can("serve", info, info.serves());
    Check.word("serve.network", info, c.getNetwork(), info.networks());
    Check.word("serve.security.mode", info, c.getSecurity().getMode(), info.securities());
    Check.options("serve", info, c.getOptionsMap(), Info.Option::server);
    Check.payload("serve.payload", c.getPayload());
    checkAddress(c);
    checkPorts(c);
    ServeConfig config =
        new ServeConfig(
            c.getNetwork(),
            c.getAddress(),
            Security.ofServer(c.getSecurity()),
            Guard.of(c),
            new ReplyPayloads(c.getPayload(), c.getSeed()),
            limits(c.getLimits()),
            wire,
            Map.copyOf(c.getOptionsMap()),
            DrawnCalls.store(info, c));
    return serve(stack, config, Math.max(1, c.getPorts()));
  }

  /** A number of ports is negative here where it is too large for an int. */
  private static void checkPorts(Serve c) throws FaultException {
    String field = "serve.ports";
    if (c.getPorts() == 0 || c.getPorts() == 1) {
      return;
    }
    long ports = Integer.toUnsignedLong(c.getPorts());
    Check.refuse(ports > PORTS_MAX, field, ports + " is more than " + PORTS_MAX);
    Check.refuse(!c.getNetwork().equals("tcp"), field, "a socket of " + c.getNetwork() + " has no ports");
    Check.refuse(
        !c.getAddress().endsWith(":0"),
        field, "several ports are picked by the system: the address must have port 0, and has " + c.getAddress());
  }

  /** Every port has a server of the library, with the same answers, limits and counts. */
  private static Ports serve(Stack stack, ServeConfig config, int ports) throws FaultException {
    List<Server> servers = new ArrayList<>();
    try {
      while (servers.size() < ports) {
        servers.add(serve(stack, config));
      }
      return new Ports(servers);
    } catch (FaultException e) {
      stop(servers);
      throw e;
    }
  }

  private static void stop(List<Server> servers) {
    try {
      for (Server server : servers) {
        server.stop(0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
