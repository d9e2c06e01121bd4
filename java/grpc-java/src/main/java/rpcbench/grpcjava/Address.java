package rpcbench.grpcjava;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import rpcbench.stack.CallException;

/** A host and a port, "127.0.0.1:50051", "[::1]:0", ":8080". */
record Address(String host, int port) {
  static Address parse(String text) throws CallException {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw Failure.invalid("the address \"" + text + "\" has no port; host:port is meant");
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    return new Address(host, portOf(text, text.substring(colon + 1)));
  }

  private static int portOf(String text, String port) throws CallException {
    try {
      int number = Integer.parseInt(port);
      if (number >= 0 && number <= 0xffff) {
        return number;
      }
    } catch (NumberFormatException e) {
      // It is no number, and refused below like one that is too large.
    }
    throw Failure.invalid("the address \"" + text + "\" has the port \"" + port + "\"; 0 to 65535 is meant");
  }

  static String format(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    String text = host.getHostAddress();
    return (host instanceof Inet6Address ? "[" + text + "]" : text) + ":" + address.getPort();
  }

  /** Where a server listens; without a host on every interface. */
  InetSocketAddress listening() {
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  /** Whom a client calls; without a host this machine, as Go has it. */
  String called() {
    return host.isEmpty() ? "localhost" : host;
  }
}
