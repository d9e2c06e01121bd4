package rpcbench.worker;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Reads host:port, where an IPv6 address stands in brackets. */
final class Address {
  private static final int PORT_MAX = 65535;

  private Address() {}

  static boolean isHostPort(String address) {
    String host = host(address);
    if (host == null || !host.startsWith("[") && host.indexOf(':') >= 0) {
      return false;
    }
    try {
      int port = Integer.parseInt(address.substring(host.length() + 1));
      return port >= 0 && port <= PORT_MAX;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /**
   * Looks the host's name up, where it is a name, so that the JVM, which keeps the answer, has it when the stack asks.
   *
   * @return whether there was a name that is known
   */
  static boolean resolves(String address) {
    String host = host(address);
    if (host == null || host.isEmpty() || host.startsWith("[") || host.chars().allMatch(c -> c == '.' || isDigit(c))) {
      return false;
    }
    try {
      InetAddress.getAllByName(host);
      return true;
    } catch (UnknownHostException e) {
      return false; // the stack is about to say so
    }
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** What stands before the last colon; null without one. */
  private static String host(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? null : address.substring(0, colon);
  }
}
