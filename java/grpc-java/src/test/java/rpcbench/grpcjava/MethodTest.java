package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger;
import rpcbench.stack.Ledger.Traffic;
import rpcbench.stack.MessageClock;
import rpcbench.stack.MessageTime;
import rpcbench.stack.Method;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/** Calls of foreign methods, which answer each message with three more bytes. */
class MethodTest {
  private static final int LONGER_BYTES = 3;

  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
  private final List<MessageTime> timed = Collections.synchronizedList(new ArrayList<>());
  private final Ledger ledger = new Ledger();

  static java.util.stream.Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void whatCallsCarryIsCounted(Stack client) throws Exception {
    // Call 0 sends "0.0", "0.1" and "0.2" if it sends three messages; replies are 3 bytes longer.
    carries(client, Kind.UNARY, "Each", 0, new Traffic(1, 1, 3, 6, 0));
    carries(client, Kind.STREAM, "Each", 0, new Traffic(3, 3, 9, 18, 0), MessageTime.FIRST_REPLY, MessageTime.MESSAGE);
    carries(client, Kind.STREAM, "Each", 5, new Traffic(5, 5, 15, 30, 0), MessageTime.FIRST_REPLY, MessageTime.MESSAGE);
    carries(client, Kind.UPLOAD, "Last", 0, new Traffic(3, 1, 9, 6, 0));
    carries(client, Kind.DOWNLOAD, "Thrice", 0, new Traffic(1, 3, 3, 18, 0), MessageTime.FIRST_REPLY, MessageTime.REPLY_GAP);
    carries(client, Kind.DOWNLOAD, "Thrice", 2, new Traffic(1, 2, 3, 12, 0), MessageTime.FIRST_REPLY, MessageTime.REPLY_GAP);
    carries(client, Kind.PING_PONG, "Each", 0, new Traffic(1, 1, 3, 6, 0));
  }

  private void carries(Stack client, String kind, String name, int messages, Traffic want, MessageTime... times)
      throws Exception {
    Ledger own = new Ledger();
    timed.clear();
    assertEquals(List.of(Code.OK), call(client, kind, name, messages, own), kind);
    assertEquals(want, own.traffic(), kind);
    assertEquals(List.of(times), timed.stream().distinct().sorted().toList(), kind);
  }

  /** Messages of a call that ended after the window are counted separately. */
  @ParameterizedTest
  @MethodSource("clients")
  void aLateCallIsOfTheTail(Stack client) throws Exception {
    for (String kind : List.of(Kind.UNARY, Kind.PING_PONG)) {
      Ledger own = new Ledger();
      with(client, kind, "Each", 0, own, requests(0), callers -> {
        List<CompletableFuture<CallException>> running = Calls.start(callers);
        assertNull(running.get(0).get());
        callers.get(0).late();
        assertEquals(List.of(Code.OK), Calls.codes(callers, running), kind);
        assertEquals(new Traffic(1, 1, 3, 6, 0), own.lateTraffic(), kind);
        assertEquals(List.of(Code.OK), Calls.call(callers), kind); // the next is none
      });
      assertEquals(new Traffic(2, 2, 6, 12, 0), own.traffic(), kind);
      assertEquals(new Traffic(1, 1, 3, 6, 0), own.lateTraffic(), kind);
    }
  }

  /** Of three calls on one stream, the second can't be made. It fails alone, and only good calls are counted. */
  @ParameterizedTest
  @MethodSource("clients")
  void aMessageThatCannotBeMadeLeavesTheStream(Stack client) throws Exception {
    Method.Requests second = new Method.Requests() {
      @Override
      public int messages(long call) {
        return 1;
      }

      @Override
      public byte[] message(long call, int i) throws CallException {
        if (call == 1) {
          throw CallException.invalid("there is none");
        }
        return new byte[] {7};
      }
    };
    List<Code> codes = new ArrayList<>();
    with(client, Kind.PING_PONG, "Each", 0, ledger, second, callers -> {
      for (int call = 0; call < 3; call++) {
        codes.addAll(Calls.call(callers));
      }
    });
    assertEquals(List.of(Code.OK, Code.INVALID_ARGUMENT, Code.OK), codes);
    assertEquals(1, heard.size(), "streams that were opened");
    assertEquals(new Traffic(2, 2, 2, 8, 0), ledger.traffic());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void metadataAndAuthorityGoAlong(Stack client) throws Exception {
    call(client, Kind.UNARY, "Each", 0, ledger);
    assertEquals(List.of("shop.example:7 call 0 [1, 2]"), heard);
  }

  @ParameterizedTest
  @MethodSource("clients")
  void failuresAreTheServers(Stack client) throws Exception {
    for (String kind : List.of(Kind.UNARY, Kind.UPLOAD, Kind.DOWNLOAD, Kind.STREAM, Kind.PING_PONG)) {
      assertEquals(List.of(Code.FAILED_PRECONDITION), call(client, kind, "Refuse", 0, ledger), kind);
      assertEquals(List.of(Code.UNIMPLEMENTED), call(client, kind, "Nothing", 0, ledger), kind);
    }
    assertEquals(List.of(Code.INTERNAL), call(client, Kind.UNARY, "Silent", 0, ledger));
    assertEquals(List.of(Code.OK), call(client, Kind.STREAM, "Silent", 0, new Ledger()));
    assertEquals(0, ledger.traffic().messagesIn());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aRequestThatCannotBeMadeIsNotSent(Stack client) throws Exception {
    for (String kind : List.of(Kind.UNARY, Kind.UPLOAD, Kind.STREAM, Kind.PING_PONG)) {
      Method.Requests none = new Method.Requests() {
        @Override
        public int messages(long call) {
          return 1;
        }

        @Override
        public byte[] message(long call, int i) throws CallException {
          throw CallException.invalid("there is none");
        }
      };
      assertEquals(List.of(Code.INVALID_ARGUMENT), call(client, kind, "Each", 0, new Ledger(), none), kind);
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aReplyThatIsTooLongIsRefused(Stack client) throws Exception {
    Method.Requests large = requests(10_000);
    assertEquals(List.of(Code.RESOURCE_EXHAUSTED), call(client, Kind.UNARY, "Each", 0, ledger, large));
  }

  private List<Code> call(Stack client, String kind, String name, int messages, Ledger ledger) throws Exception {
    return call(client, kind, name, messages, ledger, requests(0));
  }

  private List<Code> call(
      Stack client, String kind, String name, int messages, Ledger ledger, Method.Requests requests) throws Exception {
    List<Code> codes = new ArrayList<>();
    with(client, kind, name, messages, ledger, requests, callers -> codes.addAll(Calls.call(callers)));
    return codes;
  }

  private interface Body {
    void run(List<Caller> callers) throws Exception;
  }

  private void with(
      Stack client, String kind, String name, int messages, Ledger ledger, Method.Requests requests, Body body)
      throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Server server = NettyServerBuilder.forAddress(any).addService(new Shop()).build().start();
    DialConfig config =
        new DialConfig("tcp", "127.0.0.1:" + server.getPort(), null, "none", 1, new Wire(), Map.of());
    try (Conn conn = client.dial(config)) {
      Method method =
          new Method("shop.Shop/" + name, requests, metadata(), "shop.example:7", 1000, ledger, new Clock(timed));
      List<Caller> callers =
          Calls.callers(conn, new Call(kind, method, messages, kind.equals(Kind.PING_PONG) ? 1 : 0), 1);
      body.run(callers);
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }

  /** Returns requests of three messages, each longer by this many bytes. */
  private static Method.Requests requests(int more) {
    return new Method.Requests() {
      @Override
      public int messages(long call) {
        return 3;
      }

      @Override
      public byte[] message(long call, int i) {
        return (call + "." + i + "x".repeat(more)).getBytes(StandardCharsets.UTF_8);
      }
    };
  }

  private static List<Method.Metadatum> metadata() {
    return List.of(entry("x-call", "call "), entry("x-raw-bin", null));
  }

  private static Method.Metadatum entry(String name, String text) {
    return new Method.Metadatum() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public byte[] value(long call) {
        return text == null ? new byte[] {1, 2} : (text + call).getBytes(StandardCharsets.US_ASCII);
      }
    };
  }

  /** Records what was timed. */
  record Clock(List<MessageTime> timed) implements MessageClock {
    @Override
    public long nowNs() {
      return System.nanoTime();
    }

    @Override
    public double perSec() {
      return 0;
    }

    @Override
    public LongConsumer beat(Runnable wake) {
      throw new IllegalStateException("there is no rate");
    }

    @Override
    public void record(int slot, MessageTime of, long ns) {
      assertTrue(ns >= 0);
      timed.add(of);
    }

    @Override
    public int nextSlot() {
      return 0;
    }
  }

  /** Has one method for each form of answer. */
  private final class Shop implements BindableService {
    @Override
    public ServerServiceDefinition bindService() {
      ServerServiceDefinition.Builder made = ServerServiceDefinition.builder("shop.Shop");
      for (String name : List.of("Each", "Last", "Thrice", "Refuse", "Silent")) {
        MethodDescriptor<byte[], byte[]> method =
            MethodDescriptor.newBuilder(new Raw(), new Raw())
                .setType(MethodType.BIDI_STREAMING)
                .setFullMethodName("shop.Shop/" + name)
                .build();
        made.addMethod(method, handler(name));
      }
      return made.build();
    }

    private ServerCallHandler<byte[], byte[]> handler(String name) {
      return (call, headers) -> {
        byte[] raw = headers.get(Metadata.Key.of("x-raw-bin", Metadata.BINARY_BYTE_MARSHALLER));
        String text = headers.get(Metadata.Key.of("x-call", Metadata.ASCII_STRING_MARSHALLER));
        heard.add(call.getAuthority() + " " + text + " " + java.util.Arrays.toString(raw));
        call.request(1);
        call.sendHeaders(new Metadata());
        return new Answering(name, call);
      };
    }
  }

  private static final class Answering extends ServerCall.Listener<byte[]> {
    private final String name;
    private final ServerCall<byte[], byte[]> call;
    private byte[] last = {};

    Answering(String name, ServerCall<byte[], byte[]> call) {
      this.name = name;
      this.call = call;
    }

    @Override
    public void onMessage(byte[] request) {
      last = new byte[request.length + LONGER_BYTES];
      if (name.equals("Refuse")) {
        call.close(Status.FAILED_PRECONDITION, new Metadata());
        return;
      }
      if (name.equals("Each")) {
        call.sendMessage(last);
      }
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      if (name.equals("Refuse")) {
        return;
      }
      int more = name.equals("Last") ? 1 : name.equals("Thrice") ? 3 : 0;
      for (int i = 0; i < more; i++) {
        call.sendMessage(last);
      }
      call.close(Status.OK, new Metadata());
    }
  }

  private static final class Raw implements Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
