package rpcbench.httpjson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPInputStream;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.http.HttpJson;
import rpcbench.payload.Gzip;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Wire;

class ServerTest {
  private static final String ALL = "rpcbench.httpjson.Clients#all";
  private static final long HOUR_NS = 3_600_000_000_000L; // a stop that waits this long hangs
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"responseSize\":3,\"payload\":{\"type\":\"COMPRESSABLE\",\"body\":\"YWJj\"}};"
            + " 200; {\"payload\":{\"body\":\"YWJj\"}}",
        "{\"responseSize\":2,\"payload\":{\"body\":\"YWJj\"}}; 200; {\"payload\":{\"body\":\"YWI=\"}}",
        "{}; 200; {\"payload\":{}}",
        "{\"responseSize\":-1}; 400; responseSize is -1",
        "{\"responseSize\":67108865}; 400; responseSize is 67108865",
        "{\"responseSize\":; 400; the body is not a SimpleRequest",
        "null; 400; the body is not a SimpleRequest",
      })
  void answersInProtobufsJson(String request, int status, String beginning) throws Exception {
    try (Rig rig = new Rig().serve()) {
      HttpResponse<String> response = post(rig, HttpJson.PATH, request);
      assertEquals(status, response.statusCode());
      assertTrue(response.body().startsWith(beginning), response.body());
      String type = status == 200 ? HttpJson.CONTENT_TYPE : "text/plain;charset=utf-8";
      assertEquals(List.of(type), response.headers().allValues("Content-Type"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"operations\":[{\"id\":\"18446744073709551615\",\"payload\":\"YWJj\"},{\"id\":\"7\"}],"
            + "\"responseBytes\":3};"
            + " 200; {\"operations\":[{\"id\":\"18446744073709551615\",\"payload\":\"YWJj\"},"
            + "{\"id\":\"7\",\"payload\":\"YWJj\"}]}",
        "{\"operations\":[{\"payload\":\"YWJj\"}]}; 200; {\"operations\":[{}]}",
        "{}; 200; {}",
        "{\"operations\":[{\"id\":\"-1\"}]}; 400; the body is not a Batch",
        "{\"operations\":[{\"id\":\"18446744073709551616\"}]}; 400; the body is not a Batch",
        "{\"operations\":[null]}; 400; the body is not a Batch",
        "{\"operations\":null}; 400; the body is not a Batch",
        "{\"operations\":7}; 400; the body is not a Batch",
        "{\"responseBytes\":-1}; 400; responseBytes is -1",
        "{\"responseBytes\":67108865}; 400; responseBytes is 67108865",
        "{\"operations\":[{},{}],\"responseBytes\":33554432}; 400; the answers to 2 operations have 67108880 bytes",
        "null; 400; the body is not a Batch",
      })
  void answersBatchesInProtobufsJson(String request, int status, String beginning) throws Exception {
    try (Rig rig = new Rig().serve()) {
      HttpResponse<String> response = post(rig, HttpJson.BATCH_PATH, request);
      assertEquals(status, response.statusCode(), response.body());
      assertTrue(response.body().startsWith(beginning), response.body());
    }
  }

  @Test
  void anotherPathOrMethodIsRefused() throws Exception {
    try (Rig rig = new Rig().serve()) {
      assertEquals(404, post(rig, "/", "{}").statusCode());
      HttpRequest get = HttpRequest.newBuilder(uri(rig, HttpJson.PATH)).GET().build();
      HttpResponse<String> response = HTTP.send(get, HttpResponse.BodyHandlers.ofString());
      assertEquals(405, response.statusCode());
      assertEquals(List.of("POST"), response.headers().allValues("Allow"));
    }
  }

  @Test
  void gzipIsAnsweredByGzipAndRubbishRefused() throws Exception {
    try (Rig rig = new Rig().serve()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(uri(rig, HttpJson.PATH)).header("Content-Encoding", "gzip");
      byte[] packed = Gzip.pack("{\"responseSize\":3}".getBytes(StandardCharsets.UTF_8));
      HttpResponse<byte[]> response =
          HTTP.send(
              request.POST(HttpRequest.BodyPublishers.ofByteArray(packed)).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertEquals(200, response.statusCode());
      assertEquals(List.of("gzip"), response.headers().allValues("Content-Encoding"));
      byte[] text = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
      assertEquals("{\"payload\":{\"body\":\"YWJj\"}}", new String(text, StandardCharsets.UTF_8));
      response =
          HTTP.send(
              request.POST(HttpRequest.BodyPublishers.ofString("{}")).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertEquals(400, response.statusCode());
    }
  }

  @Test
  void serversOfUnixSocketsAnswerAndCount(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("s");
    Rig rig = new Rig();
    Server server =
        new JettyStack()
            .serve(new ServeConfig("unix", path.toString(), null, null, Rig::bytes, rig.serverWire, Map.of()));
    assertEquals(path.toString(), server.address());
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.connect(UnixDomainSocketAddress.of(path));
      String head = "POST " + HttpJson.PATH + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
      String request = head + "Content-Length: 2\r\n\r\n{}";
      socket.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      String answer = new String(Channels.newInputStream(socket).readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n") && answer.endsWith("\r\n\r\n{\"payload\":{}}"), answer);
      assertEquals(1, rig.serverWire.socketsOpened());
      assertEquals(request.length(), rig.serverWire.bytesIn());
      Rig.until(() -> rig.serverWire.bytesOut() == answer.length());
      Rig.until(() -> rig.serverWire.socketsOpen() == 0);
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void whoMayCallIsAskedForEveryCall(Clients.Client client) throws Exception {
    List<X509Certificate> seen = new CopyOnWriteArrayList<>();
    AtomicBoolean closed = new AtomicBoolean();
    try (Rig rig = Rig.of("mtls")) {
      rig.options = client.options();
      rig.authorize = certificate -> {
        seen.add(certificate);
        return closed.get() ? "not now" : null;
      };
      rig.serve();
      Caller caller = rig.callers(client.stack(), "none", 1, Rig.unary(10, 20)).get(0);
      for (Code due : List.of(Code.OK, Code.PERMISSION_DENIED, Code.PERMISSION_DENIED, Code.OK)) {
        closed.set(due != Code.OK);
        CallException failure = Rig.call(caller);
        assertEquals(due, failure == null ? Code.OK : failure.code());
      }
      assertEquals(List.of(rig.clientTls.certificate()), seen.stream().distinct().toList());
      assertEquals(4, seen.size());
      assertEquals(1, rig.clientWire.socketsOpened());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aRefusalOfALargeRequestIsRead(Clients.Client client) throws Exception {
    try (Rig rig = new Rig()) {
      rig.options = client.options();
      rig.authorize = certificate -> {
        assertNull(certificate);
        return "nobody";
      };
      rig.reply = n -> {
        throw new AssertionError("the call was served");
      };
      rig.serve();
      Caller caller = rig.callers(client.stack(), "none", 1, Rig.unary(4 << 20, 20)).get(0);
      for (int i = 0; i < 2; i++) {
        CallException failure = Rig.call(caller);
        assertEquals(Code.PERMISSION_DENIED, failure.code());
        assertTrue(failure.getMessage().contains("nobody"), failure.getMessage());
      }
      assertEquals(1, rig.clientWire.socketsOpened());
    }
  }

  @Test
  void stopDoesNotWaitForIdleConnections() throws Exception {
    try (Rig rig = new Rig().serve()) {
      assertNull(Rig.call(rig.callers(new OkHttpStack(), "none", 1, Rig.unary(1, 1)).get(0)));
      rig.server.stop(HOUR_NS);
    }
  }

  @Test
  void nobodyIsAcceptedAfterStop() throws Exception {
    for (int i = 0; i < 20; i++) {
      try (Rig rig = new Rig().serve()) {
        Caller caller = rig.callers(new OkHttpStack(), "none", 1, Rig.unary(10, 20)).get(0);
        rig.server.stop(0);
        assertEquals(Code.UNAVAILABLE, Rig.call(caller).code());
      }
    }
  }

  @Test
  void stopLetsACallInFlightEndAndTakesNoOther() throws Exception {
    try (Gate gate = new Gate(); Rig rig = new Rig()) {
      rig.reply = gate::reply;
      rig.serve();
      List<Caller> callers = rig.callers(new OkHttpStack(), "none", 2, Rig.unary(10, 20));
      CompletableFuture<CallException> inFlight = Rig.start(callers.get(0));
      gate.awaitEntered(1);
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> stop(rig.server));
      while (isAccepted(callers.get(1), gate)) {
        Thread.yield(); // stop is about to be called
      }
      gate.open();
      assertNull(Rig.await(inFlight));
      Rig.await(stopped);
    }
  }

  private static void stop(Server server) {
    try {
      server.stop(HOUR_NS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes a call and reports whether the server accepts it: it reaches the closed gate if so, and is UNAVAILABLE otherwise. */
  private static boolean isAccepted(Caller caller, Gate gate) throws Exception {
    CompletableFuture<CallException> call = Rig.start(caller);
    boolean accepted = gate.hasEntered();
    while (!accepted && !call.isDone()) {
      Thread.sleep(1);
      accepted = gate.hasEntered();
    }
    caller.cancel();
    assertEquals(accepted ? Code.CANCELLED : Code.UNAVAILABLE, Rig.await(call).code());
    return accepted;
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "10001", "many", ""})
  void aNumberOfThreadsThatCanNotBeIsRefused(String threads) {
    ServeConfig config =
        new ServeConfig("tcp", "127.0.0.1:0", null, null, Rig::bytes, new Wire(), Map.of("threads", threads));
    CallException refusal = assertThrows(CallException.class, () -> new JettyStack().serve(config));
    assertEquals(Code.INVALID_ARGUMENT, refusal.code());
    assertTrue(refusal.getMessage().startsWith("the option threads is \"" + threads + "\""), refusal.getMessage());
  }

  /** With Nagle's algorithm, the second of two writes would wait for the first one's ACK, which may take 40 ms. */
  @Test
  void theServerSendsWithoutDelay() throws Exception {
    ConnectionFactory[] http = {new HttpConnectionFactory()};
    Address any = Address.parse("127.0.0.1:0");
    Admission all = new Admission(new Rig().serveConfig());
    assertTrue(
        new CountedTcpConnector(new org.eclipse.jetty.server.Server(), any, all, new ReentrantLock(), http)
            .getAcceptedTcpNoDelay());
  }

  @Test
  void theFewestThreadsServe() throws Exception {
    try (Rig rig = new Rig()) {
      ServeConfig config =
          new ServeConfig("tcp", "127.0.0.1:0", null, null, Rig::bytes, rig.serverWire, Map.of("threads", "8"));
      Server server = new JettyStack().serve(config);
      rig.address = server.address();
      for (CallException failure : Rig.callAll(rig.callers(new OkHttpStack(), "none", 20, Rig.unary(10, 20)))) {
        assertNull(failure);
      }
      server.stop(0);
    }
  }

  private static HttpResponse<String> post(Rig rig, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(rig, path)).POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static URI uri(Rig rig, String path) {
    return URI.create("http://" + rig.address + path);
  }
}
