package rpcbench.stack;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** A host and a port, "127.0.0.1:50051", "[::1]:0", ":8080". */
public record Address(String host, int port) {
  private static final int PORT_MAX = 0xffff;

  /** Parses host:port, with an IPv6 address in brackets. */
  public static Address parse(String text) throws CallException {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(colon, 0));
    int port = colon < 0 ? -1 : port(text.substring(colon + 1));
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (port < 0 || !bracketed && host.indexOf(':') >= 0) {
      throw CallException.invalid("\"" + text + "\" is not an address, such as 127.0.0.1:8080 or [::1]:8080");
    }
    return new Address(bracketed ? host.substring(1, host.length() - 1) : host, port);
  }

  /** Negative if it is not a port. */
  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port <= PORT_MAX ? port : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Formats the address as parse reads it. */
  public static String format(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    String text = host.getHostAddress();
    return (host instanceof Inet6Address ? "[" + text + "]" : text) + ":" + address.getPort();
  }

  /** Returns where a server listens; without a host, on every interface. */
  public InetSocketAddress listening() {
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  /** Returns where a client connects; without a host, this machine, as in Go. */
  public String called() {
    return host.isEmpty() ? "localhost" : host;
  }

  /** Returns the IP address at which a client connects. Throws UNAVAILABLE if the name can't be resolved. */
  public InetAddress resolve() throws CallException {
    try {
      return InetAddress.getByName(called());
    } catch (UnknownHostException e) {
      throw new CallException(Code.UNAVAILABLE, "there is no host " + called(), e);
    }
  }

  /** Reports whether the host is a name that must be resolved. */
  public boolean isNamed() {
    return !host.isEmpty() && host.indexOf(':') < 0 && !host.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
  }
}
