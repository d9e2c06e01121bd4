package rpcbench.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ContentsTest {
  @Test
  void messagesAreThoseOfTheGoWorker() throws Exception {
    assertEquals(Contents.labels().size(), Samples.check(Main.codecs().get("protobuf-bytes")));
  }

  @Test
  void sourceIsSplitMix64() {
    Source source = new Source(1234567);
    for (String want : new String[] {"6457827717110365317", "3203168211198807973", "9817491932198370423"}) {
      assertEquals(want, Long.toUnsignedString(source.word()));
    }
  }

  @Test
  void floatsSurviveTheirDecimals() {
    Source source = new Source(7);
    for (int i = 0; i < 200_000; i++) {
      float single = source.single();
      double precise = source.precise();
      assertEquals(single, (float) Double.parseDouble(Float.toString(single)));
      assertEquals(precise, Double.parseDouble(Double.toString(precise)));
      assertTrue(single >= 0 && single < 1 && precise >= 0 && precise < 1, single + " or " + precise);
    }
  }
}
