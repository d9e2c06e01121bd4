package rpcbench.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:50051, 127.0.0.1, 50051, false",
    "[::1]:0, ::1, 0, false",
    "example.com:65535, example.com, 65535, true",
    ":8080, '', 8080, false",
  })
  void aHostAndAPortAreRead(String text, String host, int port, boolean named) throws Exception {
    Address address = Address.parse(text);
    assertEquals(new Address(host, port), address);
    assertEquals(named, address.isNamed());
    assertEquals(host.isEmpty() ? "localhost" : host, address.called());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:port", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80"})
  void whatIsNoAddressIsRefused(String text) {
    CallException refusal = assertThrows(CallException.class, () -> Address.parse(text));
    assertEquals(Code.INVALID_ARGUMENT, refusal.code());
    assertEquals("\"" + text + "\" is not an address, such as 127.0.0.1:8080 or [::1]:8080", refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:50051", "[0:0:0:0:0:0:0:1]:50051"})
  void whatIsWrittenIsRead(String text) throws Exception {
    Address address = Address.parse(text);
    assertEquals(text, Address.format(new InetSocketAddress(address.host(), address.port())));
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.2:80, 127.0.0.2", "[::1]:80, ::1", ":80, localhost"})
  void aHostIsResolved(String text, String host) throws Exception {
    assertEquals(InetAddress.getByName(host), Address.parse(text).resolve());
  }

  @Test
  void aHostThatThereIsNotIsUnavailable() throws Exception {
    Address nowhere = Address.parse("a..b:80"); // no name that a resolver would ask for
    CallException failure = assertThrows(CallException.class, nowhere::resolve);
    assertEquals(Code.UNAVAILABLE, failure.code());
    assertEquals("there is no host a..b", failure.getMessage());
  }
}
