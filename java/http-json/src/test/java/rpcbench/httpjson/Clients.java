package rpcbench.httpjson;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import rpcbench.stack.Stack;

/** The clients and points that tests iterate over. */
final class Clients {
  private Clients() {}

  /** A client stack with options. */
  record Client(String name, Stack stack, Map<String, String> options) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Client> all() {
    return Stream.of(
        new Client("okhttp", new OkHttpStack(), Map.of()),
        new Client("urlconnection", new UrlConnectionStack(), Map.of()),
        new Client(
            "urlconnection of fixed length",
            new UrlConnectionStack(),
            Map.of(UrlConnectionStack.FIXED_LENGTH.name(), "true")));
  }

  /** Returns every client with every security and compression. */
  static Stream<Arguments> points() {
    return all().flatMap(client ->
        Stream.of("plaintext", "tls", "mtls").flatMap(security ->
            Stream.of("none", "gzip").map(compression -> Arguments.of(client, security, compression))));
  }
}
