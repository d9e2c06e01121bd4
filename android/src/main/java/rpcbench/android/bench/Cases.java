package rpcbench.android.bench;

import java.util.ArrayList;
import java.util.List;
import rpcbench.android.stack.Stacks;
import rpcbench.stack.Kind;

/** What the app can measure, in the order of the screen. */
public enum Cases {
  ENCODE("Encoding a message", false),
  DECODE("Decoding a message", false),
  ECHO("Echo, 100 B to 100 kB", true),
  REPLIES("Ten replies in one call, and one reply", true),
  OPEN("20 calls a second, whatever becomes of them", true);

  private static final List<String> MESSAGES =
      List.of("small", "address-book", "newsfeed", "large", "large-dense", "large-sparse");
  private static final List<String> CODECS = List.of("protobuf-bytes", "json", "json-gzip");
  private static final int[] SIZES = {100, 1_000, 10_000, 100_000};

  public final String title;
  /** It needs servers. */
  public final boolean calls;

  Cases(String title, boolean calls) {
    this.title = title;
    this.calls = calls;
  }

  /** The points of the case; a server that is not named, by an empty address, has none. */
  public List<Point> points(Servers servers) {
    List<Point> points = new ArrayList<>();
    switch (this) {
      case ENCODE -> codec(points, Kind.ENCODE);
      case DECODE -> codec(points, Kind.DECODE);
      case ECHO -> {
        for (int size : SIZES) {
          both(points, servers, size, 0);
        }
      }
      case REPLIES -> {
        if (!servers.grpc().isEmpty()) {
          points.add(Point.call(Stacks.GRPC, "grpc", servers.grpc(), Kind.DOWNLOAD, 100, 1_000, 10));
          points.add(Point.call(Stacks.GRPC, "grpc", servers.grpc(), Kind.UNARY, 100, 1_000, 0));
        }
      }
      default -> both(points, servers, 1_000, 20);
    }
    return points;
  }

  private static void codec(List<Point> points, String kind) {
    for (String message : MESSAGES) {
      for (String codec : CODECS) {
        points.add(Point.codec(Stacks.CODEC, kind, message, codec));
      }
    }
  }

  private static void both(List<Point> points, Servers servers, int size, double rate) {
    if (!servers.grpc().isEmpty()) {
      points.add(Point.call(Stacks.GRPC, "grpc", servers.grpc(), Kind.UNARY, size, size, 0).at(rate));
    }
    if (!servers.http().isEmpty()) {
      points.add(Point.call(Stacks.HTTP, "http-json", servers.http(), Kind.UNARY, size, size, 0).at(rate));
    }
  }

  /**
   * The computer's servers, host:port.
   *
   * @param grpc of gRPC; empty without one
   * @param http of JSON over HTTP; empty without one
   */
  public record Servers(String grpc, String http) {
    /** Says what is wrong with an address; null where it is good or empty. */
    public static String wrong(String address) {
      int colon = address.lastIndexOf(':');
      if (address.isEmpty()) {
        return null;
      }
      boolean good = colon > 0 && !address.contains("/") && !address.contains(" ") && port(address.substring(colon + 1));
      return good ? null : "\"" + address + "\" is not an address, such as 192.168.1.5:8080";
    }

    private static boolean port(String digits) {
      try {
        int port = Integer.parseInt(digits);
        return port > 0 && port < 1 << 16;
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }
}
