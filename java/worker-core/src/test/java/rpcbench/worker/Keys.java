package rpcbench.worker;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import rpcbench.worker.v1.Worker.Security;

/** The fixtures' keys, as the driver sends them. */
final class Keys {
  private Keys() {}

  static Security.Builder server(String mode) {
    return security(mode, "server");
  }

  static Security.Builder client(String mode) {
    return security(mode, "client").setServerName("server.rpcbench.test");
  }

  private static Security.Builder security(String mode, String holder) {
    return Security.newBuilder()
        .setMode(mode)
        .setCaPem(read("ca.pem"))
        .setCertPem(read(holder + ".pem"))
        .setKeyPem(read(holder + "-key.pem"));
  }

  private static ByteString read(String name) {
    try (InputStream in = Keys.class.getResourceAsStream("/rpcbench/credential/" + name)) {
      return ByteString.readFrom(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
