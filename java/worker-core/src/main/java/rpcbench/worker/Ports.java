package rpcbench.worker;

import java.util.ArrayList;
import java.util.List;
import rpcbench.stack.Server;

/** Servers of one process that answer alike, each at a port. */
final class Ports {
  private final List<Server> servers;

  Ports(List<Server> servers) {
    this.servers = servers;
  }

  /** Where the first listens. */
  String address() {
    return servers.get(0).address();
  }

  /** Where the others listen. */
  List<String> moreAddresses() {
    List<String> more = new ArrayList<>();
    for (Server server : servers.subList(1, servers.size())) {
      more.add(server.address());
    }
    return more;
  }

  /** Stops all of them, within graceNs nanoseconds for the calls in flight. */
  void stop(long graceNs) throws InterruptedException {
    long untilNs = System.nanoTime() + graceNs;
    for (Server server : servers) {
      server.stop(Math.max(0, untilNs - System.nanoTime()));
    }
  }
}
