package rpcbench.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HolderTest {
  @ParameterizedTest
  @CsvSource({
    "rpcbench:root:alice, root:alice",
    "RPCBench:root:alice, root:alice",
    "https://example.org/ rpcbench:root:alice, root:alice",
    "rpcbench:r%C3%BCck, rück",
    "rpcbench:a%2b%2Bb+, a++b+",
    "'',",
    "https://example.org/root:alice,",
    "rpcbenches:root:alice,",
    "rpcbench:root:alice rpcbench:root:bob,",
    "rpcbench:root:alice rpcbench:root:alice,",
    "rpcbench:root:alice rpcbench:,",
    "rpcbench:,",
    "rpcbench://root/alice,",
    "rpcbench:root?alice,",
    "rpcbench:root?,",
    "rpcbench:root#alice,",
    "rpcbench:root%zz,",
    "rpcbench:root%4,",
    "rpcbench:root%,",
    "rpcbench:root%FF,",
  })
  void aCertificateHasOneNameOrNone(String uris, String name) {
    List<String> alternatives = uris.isEmpty() ? List.of() : Arrays.asList(uris.split(" "));
    assertEquals(name, Holder.nameIn(alternatives));
  }
}
