package rpcbench.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONObject;

/** Compares protobuf codecs with the Go worker's bytes. */
public final class Samples {
  /** Written by the Go worker's tests. */
  private static final Path FIXTURE = Path.of("../../internal/stack/codec/testdata/messages.json");

  private Samples() {}

  /** Encodes every message of the fixture, decodes and compares it. Returns the number of kinds of message. */
  public static int check(Codec codec) throws Exception {
    Set<String> seen = new HashSet<>();
    for (Object entry : new JSONArray(Files.readString(FIXTURE))) {
      JSONObject pin = (JSONObject) entry;
      String message = pin.getString("message");
      String what = message + " of seed " + pin.getString("seed");
      Content content = Contents.make(message, Long.parseUnsignedLong(pin.getString("seed")));
      byte[] encoded = CodecCaller.checked(codec.bind(content));
      assertEquals(pin.getInt("bytes"), encoded.length, what);
      assertEquals(pin.getString("sha256"), sha256(encoded), what);
      seen.add(message);
    }
    return seen.size();
  }

  private static String sha256(byte[] data) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
  }
}
