package rpcbench.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.jupiter.api.Test;

class ContentsTest {
  /** Written by the Go worker's tests. */
  private static final Path FIXTURE = Path.of("../../internal/stack/codec/testdata/messages.json");

  @Test
  void messagesAreThoseOfTheGoWorker() throws Exception {
    Set<String> seen = new HashSet<>();
    for (Object entry : new JSONArray(Files.readString(FIXTURE))) {
      JSONObject pin = (JSONObject) entry;
      String what = pin.getString("message") + " of seed " + pin.getString("seed");
      long seed = Long.parseUnsignedLong(pin.getString("seed"));
      byte[] encoded = Contents.make(pin.getString("message"), seed).generated().toByteArray();
      assertEquals(pin.getInt("bytes"), encoded.length, what);
      assertEquals(pin.getString("sha256"), sha256(encoded), what);
      seen.add(pin.getString("message"));
    }
    assertEquals(Set.copyOf(Contents.labels()), seen);
  }

  private static String sha256(byte[] data) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
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
