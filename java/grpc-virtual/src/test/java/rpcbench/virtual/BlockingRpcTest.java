package rpcbench.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.protobuf.ByteString;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rpcbench.grpc.Receiving;
import rpcbench.grpcjava.NettyStack;
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
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Sizes;
import rpcbench.stack.Wire;

/** Blocking stubs, here on platform threads, which every JDK has. */
class BlockingRpcTest {
  private static final byte[] REQUEST = {1, 2, 3, 4, 5};

  /** grpc-java-netty, with blocking stubs. */
  static final class Blocking extends NettyStack {
    Blocking(ExecutorService threads) {
      super(
          new NettyStack().info(), threads,
          (link, call, slot) -> BlockingStub.caller(link, call, slot, threads));
    }
  }

  private final CountDownLatch gate = new CountDownLatch(1); // holds back replies of another length
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private byte[] reply(int bytes) {
    try {
      gate.await();
      return new byte[bytes];
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private interface Body {
    void run(Conn conn) throws Exception;
  }

  private void served(Map<String, String> options, Body body) throws Exception {
    NettyStack stack = new Blocking(threads);
    Server server = stack.serve(
        new ServeConfig("tcp", "127.0.0.1:0", null, null, this::reply, new Wire(), Map.of()));
    try (Conn conn = stack.dial(new DialConfig("tcp", server.address(), null, "none", 2, new Wire(), options))) {
      body.run(conn);
    } finally {
      gate.countDown();
      server.stop(1);
      threads.shutdownNow();
    }
  }

  static CallException call(Caller caller) throws Exception {
    CompletableFuture<CallException> ended = new CompletableFuture<>();
    caller.start(ended::complete);
    return ended.get();
  }

  @ParameterizedTest
  @CsvSource({"unary, 0, 0", "unary, 0, 3", "upload, 4, 0", "upload, 4, 3", "download, 4, 0", "upload, 2000, 0", "download, 2000, 0"})
  void everyKindAndItsReplies(String kind, int messages, int batch) throws Exception {
    served(Map.of("send_deadline", "true"), conn -> {
      List<String> checked = new ArrayList<>();
      Call call = new Call(kind, REQUEST, REQUEST.length, messages, 0, payload -> {
        checked.add(kind);
        return payload.equals(java.nio.ByteBuffer.wrap(REQUEST)) ? null : "it is another";
      }).withBatch(batch).withDeadline(60_000_000_000L);
      Caller caller = conn.caller(call, 1);
      for (int round = 1; round <= 3; round++) {
        assertNull(call(caller));
        assertNull(caller.after());
        assertEquals(round * call.payloads(), checked.size());
      }
    });
  }

  /** Of two calls with drawn sizes the second is late. */
  @ParameterizedTest
  @CsvSource({"unary, 0, 1", "upload, 4, 4"})
  void aLateCallIsToldApart(String kind, int messages, int out) throws Exception {
    served(Map.of(), conn -> {
      Sizes three = Sizes.of(1, List.of(new Sizes.Bin(3, 3, 1)), REQUEST.length, List.of());
      Call call = new Call(kind, REQUEST, REQUEST.length, messages, 0, null).withDrawn(three);
      Caller caller = conn.caller(call, 0);
      assertNull(call(caller));
      assertNull(caller.after());
      assertEquals(Traffic.NONE, call.ledger().lateTraffic());
      assertNull(call(caller));
      caller.late();
      assertNull(caller.after());
      Traffic one = new Traffic(out, 1, out * 3L, 3, 0);
      assertEquals(one, call.ledger().lateTraffic());
      assertEquals(one, call.ledger().traffic().minus(one));
    });
  }

  /** Calls a foreign method, which is one of ours here; of each kind two calls, the second of which is late. */
  @ParameterizedTest
  @CsvSource({
    "unary, UnaryCall, 0, 0, 1, 1", "upload, StreamingFromClient, 0, 0, 3, 1", "upload, StreamingFromClient, 4, 0, 4, 1",
    "upload, StreamingFromClient, 4, 1000, 4, 1", "download, StreamingFromServer, 5, 0, 1, 5"
  })
  void ownMethodsAndWhatTheyCarry(String kind, String name, int messages, double perSec, int out, int in) throws Exception {
    Payload payload = Payload.newBuilder().setBody(ByteString.copyFrom(REQUEST)).build();
    SimpleRequest five = SimpleRequest.newBuilder().setPayload(payload).setResponseSize(REQUEST.length).build();
    int reply = SimpleResponse.newBuilder().setPayload(payload).build().getSerializedSize();
    served(Map.of(), conn -> {
      Ledger ledger = new Ledger();
      Within within = new Within(perSec);
      Method method = new Method(
          "grpc.testing.BenchmarkService/" + name, requests(five.toByteArray()), List.of(), "", 1000, ledger, within);
      Caller caller = conn.caller(new Call(kind, method, messages, 0), 0);
      assertNull(call(caller));
      assertNull(caller.after());
      assertNull(call(caller));
      caller.late();
      assertNull(caller.after());
      Traffic one = new Traffic(out, in, (long) out * five.getSerializedSize(), (long) in * reply, 0);
      assertEquals(one, ledger.lateTraffic());
      assertEquals(one, ledger.traffic().minus(one));
      assertEquals(perSec > 0 ? 2 * out : 0, within.lags.get());
    });
  }

  static Method.Requests requests(byte[] message) {
    return new Method.Requests() {
      @Override
      public int messages(long call) {
        return 3;
      }

      @Override
      public byte[] message(long call, int i) {
        return message;
      }
    };
  }

  /** Wakes as soon as it is asked to; its clock advances with each reading. */
  static final class Within implements MessageClock {
    private final double perSec;
    private final AtomicLong now = new AtomicLong();
    final AtomicInteger lags = new AtomicInteger();

    Within(double perSec) {
      this.perSec = perSec;
    }

    @Override
    public long nowNs() {
      return now.addAndGet(200_000);
    }

    @Override
    public double perSec() {
      return perSec;
    }

    @Override
    public LongConsumer beat(Runnable wake) {
      return at -> {
        now.accumulateAndGet(at, Math::max);
        wake.run();
      };
    }

    @Override
    public void record(int slot, MessageTime of, long ns) {
      if (of == MessageTime.MESSAGE_LAG) {
        lags.incrementAndGet();
      }
    }

    @Override
    public int nextSlot() {
      return 0;
    }
  }

  /** The stub of a unary call says so by itself. */
  @Test
  void aCallWithoutItsReplyIsInternal() throws Exception {
    ServerServiceDefinition service = ServerServiceDefinition.builder("grpc.testing.BenchmarkService")
        .addMethod(bidi(BenchmarkServiceGrpc.getUnaryCallMethod()), ServerCalls.asyncBidiStreamingCall(BlockingRpcTest::silent))
        .addMethod(
            bidi(BenchmarkServiceGrpc.getStreamingFromClientMethod()),
            ServerCalls.asyncBidiStreamingCall(BlockingRpcTest::silent))
        .build();
    io.grpc.Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .addService(service).build().start();
    DialConfig config = new DialConfig("tcp", "127.0.0.1:" + server.getPort(), null, "none", 1, new Wire(), Map.of());
    try (Conn conn = new Blocking(threads).dial(config)) {
      assertEquals(Code.INTERNAL, call(conn.caller(new Call(Kind.UNARY, REQUEST, 0, 0, 0, null), 0)).code());
      assertEquals(Code.INTERNAL, call(conn.caller(new Call(Kind.UPLOAD, REQUEST, 0, 4, 0, null), 0)).code());
    } finally {
      server.shutdownNow().awaitTermination();
      threads.shutdownNow();
    }
  }

  /** A server's library would not let a method with one reply end without it. */
  private static <Q, A> MethodDescriptor<Q, A> bidi(MethodDescriptor<Q, A> method) {
    return method.toBuilder().setType(MethodType.BIDI_STREAMING).build();
  }

  private static StreamObserver<SimpleRequest> silent(StreamObserver<SimpleResponse> to) {
    return new Receiving<>() {
      @Override
      public void onNext(SimpleRequest request) {}

      @Override
      public void onCompleted() {
        to.onCompleted();
      }
    };
  }

  @Test
  void aCancelledCallEndsAndTheNextIsMade() throws Exception {
    served(Map.of(), conn -> {
      for (String kind : List.of(Kind.UNARY, Kind.UPLOAD, Kind.DOWNLOAD)) {
        int messages = kind.equals(Kind.UNARY) ? 0 : 3;
        Caller held = conn.caller(new Call(kind, REQUEST, REQUEST.length + 1, messages, 0, null), 0);
        CompletableFuture<CallException> ended = new CompletableFuture<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        held.start(new Caller.Done() {
          @Override
          public void sent() {
            begun.complete(null);
          }

          @Override
          public void done(CallException failure) {
            ended.complete(failure);
          }
        });
        begun.get();
        while (!ended.isDone()) { // as the watchdog does
          held.cancel();
          Thread.onSpinWait();
        }
        assertEquals(Code.CANCELLED, ended.get().code(), kind);
        assertNull(held.after());
        assertNull(call(conn.caller(new Call(Kind.UNARY, REQUEST, REQUEST.length, 0, 0, null), 1)), kind);
      }
    });
  }

  @Test
  void aLostServerIsUnavailable() throws Exception {
    NettyStack stack = new Blocking(threads);
    Server server = stack.serve(
        new ServeConfig("tcp", "127.0.0.1:0", null, null, this::reply, new Wire(), Map.of()));
    try (Conn conn = stack.dial(new DialConfig("tcp", server.address(), null, "none", 1, new Wire(), Map.of()))) {
      server.stop(1);
      for (String kind : List.of(Kind.UNARY, Kind.UPLOAD, Kind.DOWNLOAD)) {
        Call call = new Call(kind, REQUEST, REQUEST.length, kind.equals(Kind.UNARY) ? 0 : 3, 0, null);
        assertEquals(Code.UNAVAILABLE, call(conn.caller(call, 0)).code(), kind);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
