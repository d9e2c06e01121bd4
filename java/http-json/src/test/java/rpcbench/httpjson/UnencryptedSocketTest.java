package rpcbench.httpjson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.http.HttpJson;
import rpcbench.stack.Call;
import rpcbench.stack.Caller;

class UnencryptedSocketTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theWireIsThatOfAnHttpUrl(boolean fixedLength) throws Exception {
    byte[] answer = "{\"payload\":{}}".getBytes(StandardCharsets.UTF_8);
    try (RawServer server = RawServer.of("200 OK", "", answer);
        Rig rig = new Rig()) {
      rig.address = server.address();
      rig.options = Map.of(UrlConnectionStack.FIXED_LENGTH.name(), Boolean.toString(fixedLength));
      Call call = new Call("unary", new byte[0], 0, 0, 0, null);
      Caller caller = rig.callers(new UrlConnectionStack(), "none", 1, call).get(0);
      for (int i = 0; i < 2; i++) {
        assertNull(Rig.call(caller));
        plainly(server, fixedLength);
      }
      List<String> requests = server.requests();
      assertEquals(4, requests.size());
      assertEquals(1, requests.stream().distinct().count(), requests.toString());
      assertEquals(2, server.sockets());
      assertEquals(requests.get(0).length() * 2L, rig.clientWire.bytesOut());
    }
  }

  /** Posts as an ordinary program would. */
  private static void plainly(RawServer server, boolean fixedLength) throws Exception {
    byte[] body = "{\"payload\":{}}".getBytes(StandardCharsets.UTF_8);
    URL url = new URL("http://" + server.address() + HttpJson.PATH);
    HttpURLConnection http = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
    http.setRequestMethod("POST");
    http.setDoOutput(true);
    http.setUseCaches(false);
    http.setRequestProperty("Content-Type", HttpJson.CONTENT_TYPE);
    if (fixedLength) {
      http.setFixedLengthStreamingMode(body.length);
    }
    try (OutputStream out = http.getOutputStream()) {
      out.write(body);
    }
    try (InputStream in = http.getInputStream()) {
      in.readAllBytes();
    }
  }

  @Test
  void anIdleConnectionOutlastsTheCachesOwnTime() {
    new UrlConnectionStack();
    assertEquals("3600", System.getProperty("http.keepAlive.time.server"));
    assertEquals("false", System.getProperty("sun.net.http.retryPost"));
  }
}
