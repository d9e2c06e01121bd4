package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;

/** Makes calls of all kinds. */
final class Calls {
  static final int SLOTS = 3;
  static final int LARGE_BYTES = 1_200_000; // more than a window
  static final int MESSAGES = 4;
  static final int BATCH = 3;

  private static final byte[] TEXT = text();
  private static final byte[] NOISE = noise();

  private Calls() {}

  /** Returns text that compresses well. */
  private static byte[] text() {
    byte[] line = "{\"name\":\"Ada\",\"city\":\"Oslo\",\"active\":true}\n".getBytes(StandardCharsets.US_ASCII);
    byte[] text = new byte[LARGE_BYTES];
    for (int i = 0; i < text.length; i++) {
      text[i] = line[i % line.length];
    }
    return text;
  }

  private static byte[] noise() {
    byte[] noise = new byte[LARGE_BYTES];
    new Random(1).nextBytes(noise);
    return noise;
  }

  static byte[] request(int bytes) {
    return Arrays.copyOf(TEXT, bytes);
  }

  /** Returns the payload with which the servers of these tests answer if the sizes differ. */
  static byte[] reply(int bytes) {
    return Arrays.copyOf(NOISE, bytes);
  }

  /** Returns calls of all kinds for which a Caller can be created, twice if they share streams; with and without batches. */
  static Map<String, Call> all(int requestBytes, int responseBytes, int slots) {
    byte[] request = request(requestBytes);
    Call.Check check = equal(requestBytes == responseBytes ? request : reply(responseBytes));
    Map<String, Call> all = new LinkedHashMap<>();
    for (String kind : List.of(Kind.UNARY, Kind.STREAM, Kind.UPLOAD, Kind.DOWNLOAD, Kind.BOTH_WAYS)) {
      int messages = kind.equals(Kind.UNARY) ? 0 : MESSAGES;
      all.put(kind, new Call(kind, request, responseBytes, messages, 0, check));
    }
    all.put(Kind.PING_PONG, new Call(Kind.PING_PONG, request, responseBytes, 0, slots, check));
    all.put("window", new Call(Kind.PING_PONG, request, responseBytes, 0, 1, check));
    all.put(Kind.BURST, new Call(Kind.BURST, request, responseBytes, MESSAGES, slots, check));
    all.put("window of bursts", new Call(Kind.BURST, request, responseBytes, MESSAGES, 1, check));
    for (String name : List.of(Kind.UNARY, Kind.UPLOAD, Kind.PING_PONG, "window", Kind.BURST, "window of bursts")) {
      all.put(name + ", batch", all.get(name).withBatch(BATCH));
    }
    return all;
  }

  private static Call.Check equal(byte[] want) {
    return got -> got.equals(ByteBuffer.wrap(want)) ? null : "the reply of " + got.remaining() + " bytes is another";
  }

  static List<Caller> callers(Conn conn, Call call, int slots) throws CallException {
    List<Caller> callers = new ArrayList<>();
    for (int slot = 0; slot < slots; slot++) {
      callers.add(conn.caller(call, slot));
    }
    return callers;
  }

  /** Starts a call on every slot. */
  static List<CompletableFuture<CallException>> start(List<Caller> callers) {
    List<CompletableFuture<CallException>> running = new ArrayList<>();
    for (Caller caller : callers) {
      CompletableFuture<CallException> end = new CompletableFuture<>();
      running.add(end);
      caller.start(failure -> {
        if (!end.complete(failure)) {
          throw new AssertionError("done was called twice");
        }
      });
    }
    return running;
  }

  /** Waits for the calls and returns the code of each, including after's. */
  static List<Code> codes(List<Caller> callers, List<CompletableFuture<CallException>> running) throws Exception {
    List<Code> codes = new ArrayList<>();
    for (int i = 0; i < callers.size(); i++) {
      CallException failure = running.get(i).get();
      CallException wrong = callers.get(i).after();
      if (failure != null) {
        assertNull(wrong, "after said that a call was wrong that had failed");
      }
      codes.add(failure != null ? failure.code() : wrong != null ? wrong.code() : Code.OK);
    }
    return codes;
  }

  /** Makes a call on every slot concurrently. */
  static List<Code> call(List<Caller> callers) throws Exception {
    return codes(callers, start(callers));
  }

  static void assertAll(Code want, List<Code> got, String what) {
    for (int slot = 0; slot < got.size(); slot++) {
      assertEquals(want, got.get(slot), what + ", slot " + slot);
    }
  }

  /** Polls until another thread has made the condition true. */
  static void until(Condition condition) throws Exception {
    while (!condition.holds()) {
      Thread.sleep(1);
    }
  }

  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }
}
