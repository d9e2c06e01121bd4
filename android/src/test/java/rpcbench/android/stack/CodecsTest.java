package rpcbench.android.stack;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONObject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import rpcbench.codec.Contents;
import rpcbench.codec.Protobuf;
import rpcbench.stack.Calibrated;
import rpcbench.stack.Call;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Kind;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/** The codecs, with Android's own classes. */
@RunWith(RobolectricTestRunner.class)
public class CodecsTest {
  /** Written by the Go worker's tests. */
  private static final Path FIXTURE = Paths.get("../internal/stack/codec/testdata/messages.json");

  @Test
  public void messagesAreThoseOfTheGoWorker() throws Exception {
    Set<String> seen = new HashSet<>();
    JSONArray pins = new JSONArray(new String(Files.readAllBytes(FIXTURE), StandardCharsets.UTF_8));
    for (int i = 0; i < pins.length(); i++) {
      JSONObject pin = pins.getJSONObject(i);
      long seed = Long.parseUnsignedLong(pin.getString("seed"));
      byte[] encoded = new Lite().make(Contents.make(pin.getString("message"), seed).plain()).message().toByteArray();
      assertEquals(pin.toString(), pin.getString("sha256"), sha256(encoded));
      seen.add(pin.getString("message"));
    }
    assertEquals(new HashSet<>(Contents.labels()), seen);
  }

  private static String sha256(byte[] data) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
  }

  @Test
  public void everyMessageLosesNothingInAnyCodec() throws Exception {
    Stack stack = Codecs.stack("android-codec");
    assertEquals(List.of("json", "json-gzip", "protobuf-bytes", "protobuf-coded", "protobuf-stream"), stack.info().codecs());
    for (String message : stack.info().messages()) {
      for (String codec : stack.info().codecs()) {
        try (Conn conn = stack.dial(new DialConfig("", "", null, "", 1, new Wire(), Map.of()))) {
          Calibrated made = (Calibrated) conn.caller(new Call(Kind.DECODE, new Call.Codec(message, codec, 1, 1)), 0);
          assertTrue(message + " " + codec, made.repeat() >= 1 && made.encodedBytes() > 0);
        }
      }
    }
  }

  @Test
  public void sizesThatAreForgottenAreComputedAnew() {
    Protobuf.Made made = new Lite().make(Contents.make("address-book", 1).plain());
    byte[] encoded = made.message().toByteArray();
    made.forget().run();
    assertArrayEquals(encoded, made.message().toByteArray());
    assertEquals(encoded.length, made.message().getSerializedSize());
  }

  @Test
  public void orgJsonIsAndroids() throws Exception {
    assertEquals("{\"a\":\"b\\/c\"}", new JSONObject().put("a", "b/c").toString()); // json.org's leaves the slash
  }
}
