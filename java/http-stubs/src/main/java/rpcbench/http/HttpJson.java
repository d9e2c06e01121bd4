package rpcbench.http;

import com.fasterxml.jackson.databind.cfg.PackageVersion;
import java.util.List;
import rpcbench.stack.Bounds;
import rpcbench.stack.Call;
import rpcbench.stack.Code;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;

/** Constants and descriptions that the clients and the server share. */
public final class HttpJson {
  public static final String PATH = "/grpc.testing.BenchmarkService/UnaryCall";
  public static final String BATCH_PATH = "/rpcbench.batch.v1.BatchService/Unary";
  public static final String CONTENT_TYPE = "application/json";

  public static final String TCP = "tcp";
  public static final String UNIX = "unix";
  public static final String GZIP = "gzip";

  /** Room for the JSON around an operation's payload: field names, what it does, and 20 digits each for its id and its key. */
  private static final int OPERATION_BYTES = 96;

  /** Room for payloads of {@link Bounds#MESSAGE_BYTES_MAX} in base64, and for the JSON around them. */
  public static final int BODY_BYTES_MAX = Bounds.MESSAGE_BYTES_MAX / 3 * 4 + Bounds.BATCH_MAX * OPERATION_BYTES + 1024;

  /** Room for an error message, and for a reply of an unexpected length, which is a MISMATCH. */
  private static final int SPARE_BYTES = 64 << 10;

  private HttpJson() {}

  /** Returns the maximum size of the body of a reply to a call: the expected size, with room for one that is slightly wrong. */
  static int reply(Call call) {
    long due = call.replyBytes();
    return (int) Math.min(BODY_BYTES_MAX, due / 3 * 4 + due / 64 + (long) call.batch() * OPERATION_BYTES + SPARE_BYTES);
  }

  /** Describes a client. */
  public static Info client(String name, String library, List<Info.Option> options) {
    return info(name, library, false, List.of(TCP), options);
  }

  /** Describes a server. */
  public static Info server(String name, String library, List<Info.Option> options) {
    return info(name, library, true, List.of(TCP, UNIX), options);
  }

  private static Info info(
      String name, String library, boolean serves, List<String> networks, List<Info.Option> options) {
    return new Info(
        name,
        "http-json",
        library + ", jackson-databind " + PackageVersion.VERSION,
        serves,
        !serves,
        List.of(Kind.FIRST_CALL, Kind.UNARY),
        networks,
        List.of("plaintext", "tls", "mtls"),
        List.of("none", GZIP),
        false,
        options,
        List.of(),
        List.of(),
        false).drawing(!serves, true);
  }

  /**
   * Returns the code for an HTTP status other than 200, by gRPC's table,
   * https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md, and for the status with which our server refuses
   * what is too large.
   */
  static Code code(int status) {
    return switch (status) {
      case 400 -> Code.INTERNAL;
      case 401 -> Code.UNAUTHENTICATED;
      case 403 -> Code.PERMISSION_DENIED;
      case 404 -> Code.UNIMPLEMENTED;
      case 413 -> Code.RESOURCE_EXHAUSTED;
      case 429, 502, 503, 504 -> Code.UNAVAILABLE;
      default -> Code.UNKNOWN;
    };
  }
}
