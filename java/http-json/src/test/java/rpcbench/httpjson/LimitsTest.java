package rpcbench.httpjson;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.http.HttpJson;
import rpcbench.payload.Gzip;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
import rpcbench.stack.ServerLimits;

/** A server refuses what exceeds its limits. */
class LimitsTest {
  private static final long SOON_NS = 50_000_000;
  private static final int PATIENCE_MS = 180_000; // a server that does not close is at fault
  private static final String GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
  private static final String LAST_GET = "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @ParameterizedTest
  @CsvSource({
    "{\"operations\":[, '{},', 5, 200",
    "{\"operations\":[, '{},', 2000000, 413", // too long
    "{\"operations\":[, '{},', 100, 413", // too many
    "{\"operations\":[, '1,', 300, 413",
    "{\"operations\":[, '{\"id\":\"1\",\"payload\":\"AA==\",\"access\":\"ACCESS_WRITE\",\"key\":\"1\"},', 49, 400", // no store
  })
  void aBatchIsBoundedBeforeItIsDecoded(String begin, String operation, int count, int want) throws Exception {
    byte[] text = (begin + operation.repeat(count) + "{}]}").getBytes(StandardCharsets.US_ASCII);
    try (Rig rig = new Rig()) {
      rig.limits = new ServerLimits(1_000_000, 0, 50, 0, 0, 0, 0, 0);
      rig.serve();
      for (boolean packed : List.of(true, false)) {
        assertEquals(want, post(rig, packed ? Gzip.pack(text) : text, packed).statusCode());
      }
    }
  }

  @Test
  void aResponseBeyondTheLimitIsRefused() throws Exception {
    try (Rig rig = new Rig()) {
      rig.limits = new ServerLimits(0, 1000, 0, 0, 0, 0, 0, 0);
      rig.serve();
      for (CallException failure : Rig.callAll(rig.callers(new OkHttpStack(), "none", 2, Rig.unary(10, 1001)))) {
        assertEquals(Code.RESOURCE_EXHAUSTED, failure.code());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionOnWhichNothingComesIsClosed(boolean isHeader) throws Exception {
    try (Rig rig = new Rig()) {
      rig.limits = new ServerLimits(0, 0, 0, 0, 0, 0, isHeader ? SOON_NS : 0, isHeader ? 0 : SOON_NS);
      try (Socket socket = connect(rig.serve())) {
        socket.getOutputStream().write('P');
        drain(socket);
      }
    }
  }

  @Test
  void aConnectionBeyondTheLimitIsClosed() throws Exception {
    try (Rig rig = new Rig()) {
      rig.limits = new ServerLimits(0, 0, 0, 1, 0, 0, 0, 0);
      // Connections that arrive together may be counted in any order.
      try (Socket first = connect(rig.serve())) {
        send(first, GET);
        assertEquals('H', first.getInputStream().read());
        try (Socket second = connect(rig)) {
          drain(second);
        }
        send(first, LAST_GET);
        String rest = new String(first.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertEquals(1, rest.split("HTTP/1\\.1 ").length - 1, rest);
      }
    }
  }

  private static HttpResponse<String> post(Rig rig, byte[] body, boolean packed) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + rig.address + HttpJson.BATCH_PATH));
    if (packed) {
      request.header("Content-Encoding", HttpJson.GZIP);
    }
    return HTTP.send(
        request.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static void send(Socket socket, String request) throws Exception {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static Socket connect(Rig rig) throws Exception {
    Socket socket = new Socket("127.0.0.1", rig.port());
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  /** Reads until the server closes the connection. */
  private static void drain(Socket socket) throws Exception {
    int got = 0;
    while (got >= 0) {
      try {
        got = socket.getInputStream().read();
      } catch (SocketException e) { // reset
        got = -1;
      }
    }
  }
}
