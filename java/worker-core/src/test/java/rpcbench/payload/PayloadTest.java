package rpcbench.payload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PayloadTest {
  private static final Path FIXTURE = Path.of("../../internal/stack/testdata/payload.json");
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "\"kind\": \"(\\w+)\",\\s+\"seed\": \"(\\d+)\",\\s+\"n\": (\\d+),\\s+\"sha256\": \"(\\w+)\","
              + "\\s+\"first_32_bytes\": \"(\\w*)\"");

  @Test
  void bytesAreThoseOfTheFixture() throws Exception {
    Matcher examples = EXAMPLE.matcher(Files.readString(FIXTURE));
    int seen = 0;
    for (; examples.find(); seen++) {
      int n = Integer.parseInt(examples.group(3));
      byte[] payload = Payload.of(examples.group(1), Long.parseUnsignedLong(examples.group(2)), n);
      String example = examples.group(1) + " of seed " + examples.group(2) + ", " + n + " bytes";
      assertEquals(n, payload.length, example);
      byte[] first = Arrays.copyOf(payload, Math.min(n, 32));
      assertEquals(examples.group(5), HexFormat.of().formatHex(first), example);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(payload);
      assertEquals(examples.group(4), HexFormat.of().formatHex(hash), example);
    }
    long examplesInFile = Files.readAllLines(FIXTURE).stream().filter(line -> line.contains("\"kind\"")).count();
    assertEquals(examplesInFile, seen);
  }

  @Test
  void aShorterPayloadIsTheBeginOfALongerOne() {
    for (String kind : Payload.kinds()) {
      byte[] longer = Payload.of(kind, 7, 500);
      assertArrayEquals(Arrays.copyOf(longer, 123), Payload.of(kind, 7, 123), kind);
    }
  }

  @Test
  void anUnknownKindIsRefused() {
    var refused = assertThrows(IllegalArgumentException.class, () -> Payload.of("poems", 1, 1));
    assertEquals("\"poems\" is not a payload kind", refused.getMessage());
  }
}
