package rpcbench.grpcjava;

import java.util.Map;

/** The server of {@link ServiceTest} with the codec bytes, whose clients see no difference. */
class BufferServiceTest extends ServiceTest {
  @Override
  Map<String, String> options() {
    return Map.of("codec", "bytes");
  }
}
