package rpcbench.httpjson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.payload.Gzip;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

/** How clients treat answers that our server never gives. */
class AnswerTest {
  private static final String ALL = "rpcbench.httpjson.Clients#all";
  private static final int LARGE_BYTES = 64 << 20;
  private static final String ASKING = "Retry-After: 0\r\nLocation: /elsewhere\r\n";
  private static final Clients.Client RETRYING =
      new Clients.Client("retrying", new OkHttpStack(), Map.of(OkHttpStack.RETRY.name(), "true"));
  private static final Call EMPTY = new Call("unary", new byte[0], 0, 0, 0, null);

  @ParameterizedTest
  @MethodSource(ALL)
  void aStatusOtherThan200IsItsCode(Clients.Client client) throws Exception {
    Map<String, Code> codes =
        Map.of(
            "400 Bad Request", Code.INTERNAL,
            "401 Unauthorized", Code.UNAUTHENTICATED,
            "403 Forbidden", Code.PERMISSION_DENIED,
            "404 Not Found", Code.UNIMPLEMENTED,
            "429 Too Many Requests", Code.UNAVAILABLE,
            "500 Internal Server Error", Code.UNKNOWN,
            "503 Service Unavailable", Code.UNAVAILABLE,
            "302 Found", Code.UNKNOWN,
            "204 No Content", Code.UNKNOWN);
    for (var entry : codes.entrySet()) {
      boolean bare = entry.getKey().startsWith("204");
      // With fixed lengths, HttpURLConnection does not return the body of a 401.
      boolean told = !bare && entry.getValue() != Code.UNAUTHENTICATED;
      byte[] body = bare ? new byte[0] : bytes("because");
      try (RawServer server = RawServer.of(entry.getKey(), "Location: /elsewhere\r\n", body)) {
        for (int i = 0; i < 2; i++) {
          CallException failure = call(client, server);
          assertEquals(entry.getValue(), failure.code(), entry.getKey());
          assertTrue(!told || failure.getMessage().contains("because"), failure.getMessage());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void anErrorKeepsTheConnection(Clients.Client client) throws Exception {
    try (RawServer server = RawServer.of("403 Forbidden", "", bytes("no"));
        Rig rig = rig(client, server)) {
      Caller caller = rig.callers(client.stack(), "none", 1, EMPTY).get(0);
      for (int i = 0; i < 5; i++) {
        assertEquals(Code.PERMISSION_DENIED, Rig.call(caller).code());
      }
      assertEquals(1, server.sockets());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aReplyFarLongerThanIsDueIsRefused(Clients.Client client) throws Exception {
    byte[] large = new byte[1 << 20];
    String packed = "Content-Encoding: gzip\r\n";
    try (RawServer plain = RawServer.of("200 OK", "", large);
        RawServer bomb = RawServer.of("200 OK", packed, Gzip.pack(large));
        RawServer refusal = RawServer.of("403 Forbidden", "", large);
        RawServer packedRefusal = RawServer.of("403 Forbidden", packed, Gzip.pack(large))) {
      assertEquals(Code.RESOURCE_EXHAUSTED, call(client, plain).code());
      assertEquals(Code.RESOURCE_EXHAUSTED, call(client, bomb).code());
      assertEquals(Code.PERMISSION_DENIED, call(client, refusal).code());
      assertEquals(Code.PERMISSION_DENIED, call(client, packedRefusal).code());
    }
  }

  /** However long a reply is, no more of it is kept than is allowed. */
  @ParameterizedTest
  @MethodSource(ALL)
  void aReplyFarLongerThanIsDueTakesNoMemory(Clients.Client client) throws Exception {
    byte[] large = new byte[LARGE_BYTES];
    try (RawServer plain = RawServer.of("200 OK", "", large);
        RawServer bomb = RawServer.of("200 OK", "Content-Encoding: gzip\r\n", Gzip.pack(large));
        RawServer refusal = RawServer.of("403 Forbidden", "", large)) {
      for (RawServer server : List.of(plain, bomb, refusal)) {
        try (RawServer small = RawServer.of("200 OK", "", bytes("{}"))) {
          assertNull(call(client, small)); // loads classes
        }
        long before = Heap.allocatedBytes();
        assertTrue(call(client, server) != null, "it was accepted");
        long took = Heap.allocatedBytes() - before;
        assertTrue(took < LARGE_BYTES / 8, took + " bytes were allocated for a reply of " + LARGE_BYTES);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aReplyThatCanNotBeReadIsInternal(Clients.Client client) throws Exception {
    String badBase64 = "{\"payload\":{\"body\":\"%\"}}";
    for (String text : new String[] {"<html>", "", "null", "{\"payload\":", "{} {}", badBase64}) {
      try (RawServer server = RawServer.of("200 OK", "", bytes(text))) {
        assertEquals(Code.INTERNAL, call(client, server).code(), text);
      }
    }
    try (RawServer server = RawServer.of("200 OK", "Content-Encoding: gzip\r\n", bytes("this is no gzip"))) {
      assertEquals(Code.INTERNAL, call(client, server).code());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void unknownFieldsAndChunksAreRead(Clients.Client client) throws Exception {
    String chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "9\r\n{\"user\":1\r\n"
            + "d\r\n,\"payload\":{}\r\n"
            + "1\r\n}\r\n0\r\n\r\n";
    try (RawServer server = new RawServer(bytes(chunked));
        Rig rig = rig(client, server)) {
      Caller caller = rig.callers(client.stack(), "none", 1, EMPTY).get(0);
      assertNull(Rig.call(caller));
      assertNull(Rig.call(caller));
      assertEquals(1, server.sockets());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aLostReplyIsUnavailableAndTheRequestIsNotSentAgain(Clients.Client client) throws Exception {
    for (int answers = 0; answers < 2; answers++) { // the lost call is the first on its connection, or not
      try (RawServer server = RawServer.losing(bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"), answers);
          Rig rig = rig(client, server)) {
        Caller caller = rig.callers(client.stack(), "none", 1, EMPTY).get(0);
        for (int i = 0; i < answers; i++) {
          assertNull(Rig.call(caller));
        }
        assertEquals(Code.UNAVAILABLE, Rig.call(caller).code());
        assertEquals(answers + 1, server.requests().size());
      }
    }
  }

  /** OkHttp retries on a connection that has carried a call before. */
  @Test
  void aLostReplyIsAskedForAgainWhereTheOptionSaysSo() throws Exception {
    try (RawServer server = RawServer.losing(bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"), 1);
        Rig rig = rig(RETRYING, server)) {
      Caller caller = rig.callers(new OkHttpStack(), "none", 1, EMPTY).get(0);
      assertNull(Rig.call(caller));
      assertNull(Rig.call(caller));
      assertEquals(3, server.requests().size());
      assertEquals(2, server.sockets());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void anAnswerThatAsksForAnotherRequestIsAnAnswer(Clients.Client client) throws Exception {
    Map<String, Code> codes =
        Map.of(
            "307 Temporary Redirect", Code.UNKNOWN,
            "408 Request Timeout", Code.UNKNOWN,
            "421 Misdirected Request", Code.UNKNOWN,
            "503 Service Unavailable", Code.UNAVAILABLE);
    for (var entry : codes.entrySet()) {
      try (RawServer server = RawServer.of(entry.getKey(), ASKING, bytes("again"))) {
        assertEquals(entry.getValue(), call(client, server).code(), entry.getKey());
        assertEquals(1, server.requests().size(), entry.getKey());
      }
    }
  }

  /** OkHttp repeats such a request once. */
  @Test
  void anAnswerThatAsksForAnotherRequestGetsOneWhereTheOptionSaysSo() throws Exception {
    for (String status : List.of("408 Request Timeout", "503 Service Unavailable")) {
      try (RawServer server = RawServer.of(status, ASKING, bytes("again"))) {
        assertTrue(call(RETRYING, server).getMessage().startsWith("HTTP status " + status.substring(0, 3)), status);
        assertEquals(2, server.requests().size(), status);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aReplyThatIsCutOffIsUnavailable(Clients.Client client) throws Exception {
    String cut = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\nabc";
    try (RawServer server = RawServer.losing(bytes(cut), 1);
        Rig rig = rig(client, server)) {
      CompletableFuture<CallException> call = Rig.start(rig.callers(client.stack(), "none", 1, EMPTY).get(0));
      Rig.until(() -> rig.clientWire.bytesIn() == cut.length());
      server.cut();
      assertEquals(Code.UNAVAILABLE, Rig.await(call).code());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void theRequestIsProtobufsJson(Clients.Client client) throws Exception {
    try (RawServer server = RawServer.of("200 OK", "", bytes("{}"));
        Rig rig = rig(client, server)) {
      Call call = new Call("unary", bytes("abc"), 5, 0, 0, null);
      assertEquals(Code.MISMATCH, Rig.call(rig.callers(client.stack(), "none", 1, call).get(0)).code());
      assertNull(Rig.call(rig.callers(client.stack(), "none", 1, EMPTY).get(0)));
      String first = server.requests().get(0);
      assertTrue(first.startsWith("POST /grpc.testing.BenchmarkService/UnaryCall HTTP/1.1\r\n"), first);
      assertTrue(first.contains("\r\nContent-Type: application/json\r\n"), first);
      assertTrue(first.endsWith("\r\n\r\n{\"responseSize\":5,\"payload\":{\"body\":\"YWJj\"}}"), first);
      assertTrue(server.requests().get(1).endsWith("\r\n\r\n{\"payload\":{}}"), server.requests().get(1));
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void theBatchIsProtobufsJson(Clients.Client client) throws Exception {
    try (RawServer server = RawServer.of("200 OK", "", bytes("{}"));
        Rig rig = rig(client, server)) {
      Call two = new Call("unary", bytes("abc"), 5, 0, 0, null).withBatch(2);
      Caller caller = rig.callers(client.stack(), "none", 1, two).get(0);
      for (int i = 0; i < 2; i++) {
        assertEquals(Code.MISMATCH, Rig.call(caller).code());
      }
      String first = server.requests().get(0);
      assertTrue(first.startsWith("POST /rpcbench.batch.v1.BatchService/Unary HTTP/1.1\r\n"), first);
      String operations = "[{\"payload\":\"YWJj\"},{\"id\":\"1\",\"payload\":\"YWJj\"}]";
      String body = "{\"operations\":" + operations + ",\"responseBytes\":5}";
      assertTrue(first.endsWith("\r\n\r\n" + body), first);
      String second = server.requests().get(1);
      assertTrue(second.contains("\"id\":\"2\"") && second.contains("\"id\":\"3\""), second);
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void everyAnswerIsMatchedWithItsOperation(Clients.Client client) throws Exception {
    Call two = new Call("unary", bytes("abc"), 3, 0, 0, null).withBatch(2);
    String right = "{\"id\":\"0\",\"payload\":\"YWJj\"}";
    String other = "{\"id\":\"1\",\"payload\":\"YWJj\"}";
    Map<String, String> answers =
        Map.of(
            right + "," + other, "",
            other + "," + right, "",
            right, "the message has 1 answers, expected 2",
            right + "," + right, "operation 0 was answered twice",
            right + "," + other + "," + other, "the message has 3 answers, expected 2",
            right + ",{\"id\":\"18446744073709551615\"}",
            "answer 2 has id 18446744073709551615; the operations have ids 0 to 1",
            right + ",{\"id\":\"1\"}", "answer 2 has 0 bytes, expected 3");
    for (var entry : answers.entrySet()) {
      try (RawServer server = RawServer.of("200 OK", "", bytes("{\"operations\":[" + entry.getKey() + "]}"));
          Rig rig = rig(client, server)) {
        CallException wrong = Rig.call(rig.callers(client.stack(), "none", 1, two).get(0));
        assertEquals(entry.getValue(), wrong == null ? "" : wrong.getMessage(), entry.getKey());
      }
    }
    for (String unreadable : List.of("{\"id\":\"-1\"}", "{\"id\":\"18446744073709551616\"}", "null", "7")) {
      try (RawServer server = RawServer.of("200 OK", "", bytes("{\"operations\":[" + unreadable + "]}"));
          Rig rig = rig(client, server)) {
        assertEquals(Code.INTERNAL, Rig.call(rig.callers(client.stack(), "none", 1, two).get(0)).code(), unreadable);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void gzipIsAskedForWhereItIsWantedOnly(Clients.Client client) throws Exception {
    try (RawServer server = RawServer.of("200 OK", "", bytes("{}"));
        Rig rig = rig(client, server)) {
      assertNull(Rig.call(rig.callers(client.stack(), "none", 1, EMPTY).get(0)));
      assertFalse(server.requests().get(0).contains("gzip"), server.requests().get(0));
      assertNull(Rig.call(rig.callers(client.stack(), "gzip", 1, EMPTY).get(0)));
      for (String header : new String[] {"Content-Encoding", "Accept-Encoding"}) {
        assertTrue(server.requests().get(1).contains("\r\n" + header + ": gzip\r\n"), server.requests().get(1));
      }
    }
  }

  private static Rig rig(Clients.Client client, RawServer server) {
    Rig rig = new Rig();
    rig.options = client.options();
    rig.address = server.address();
    return rig;
  }

  private static CallException call(Clients.Client client, RawServer server) throws Exception {
    try (Rig rig = rig(client, server)) {
      return Rig.call(rig.callers(client.stack(), "none", 1, EMPTY).get(0));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
