package rpcbench.codec.android;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.json.JSONObject;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Calibrated;
import rpcbench.stack.Call;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Kind;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

class AndroidTest {
  private static final DialConfig CONFIG = new DialConfig("", "", null, "", 1, new Wire(), Map.of());

  @Test
  void orgJsonIsAndroids() {
    String jar = JSONObject.class.getProtectionDomain().getCodeSource().getLocation().toString();
    assertTrue(jar.contains("android-json"), jar);
    assertThrows(ClassNotFoundException.class, () -> Class.forName("org.json.JSONPointer"), "json.org's is here too");
    assertTrue(Main.stack().info().library().contains("android-json 0.0."), Main.stack().info().library());
  }

  @Test
  void everyCodecMakesCallers() throws Exception {
    Stack stack = Main.stack();
    assertEquals(List.of("json", "json-gzip"), stack.info().codecs());
    for (String codec : stack.info().codecs()) {
      try (Conn conn = stack.dial(CONFIG)) {
        Call.Codec work = new Call.Codec("small", codec, 1, 1);
        Calibrated made = (Calibrated) conn.caller(new Call(Kind.DECODE, work), 0);
        assertTrue(made.encodedBytes() > 0 && made.repeat() >= 1, codec);
      }
    }
  }
}
