package rpcbench.codec;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests Android's org.json with calls that are private to the codec package. */
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
