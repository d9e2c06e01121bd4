package rpcbench.codec;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Android's org.json under what codec's own tests call, which their package keeps to itself. */
class AndroidJsonTest {
  @ParameterizedTest
  @ValueSource(strings = {"json", "json-gzip"})
  void nothingIsLost(String codec) throws Exception {
    for (String message : Contents.labels()) {
      for (long seed = 0; seed < (message.equals("small") ? 50 : 2); seed++) {
        CodecCaller.checked(CodecStack.orgJson().get(codec).bind(Contents.make(message, seed)));
      }
    }
  }
}
