package rpcbench.grpcjava;

import static rpcbench.grpcjava.Calls.SLOTS;

import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.payload.Gzip;
import rpcbench.stack.Call;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Stack;

/** A reply that can't be decompressed or decoded is INTERNAL in every kind of call. */
class UnreadableTest {
  /** A field of 127 bytes of which none follow, whatever the message. */
  private static final byte[] NO_MESSAGE = {0x0a, 0x7f};

  static Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aReplyThatCannotBeReadIsInternal(Stack client) throws Exception {
    byte[] packed = Gzip.pack(Calls.reply(1000));
    Map<String, Compressor> replies = new LinkedHashMap<>();
    replies.put("no message", Codec.Identity.NONE);
    replies.put("no gzip", new Corrupt("this is no gzip".getBytes(StandardCharsets.US_ASCII)));
    replies.put("the beginning of a gzip header", new Corrupt(Arrays.copyOf(packed, 5)));
    replies.put("the first half of a gzip", new Corrupt(Arrays.copyOf(packed, packed.length / 2)));
    for (Map.Entry<String, Compressor> reply : replies.entrySet()) {
      String encoding = reply.getValue().getMessageEncoding();
      try (AnyServer server = new AnyServer(reply.getValue(), (call, headers) -> answers(call, encoding));
          Conn conn = server.dial(client)) {
        for (Map.Entry<String, Call> call : Calls.all(10, 20, SLOTS).entrySet()) {
          Calls.assertAll(
              Code.INTERNAL, Calls.call(Calls.callers(conn, call.getValue(), SLOTS)), reply.getKey() + ", " + call.getKey());
        }
      }
    }
  }

  /** Answers every message with one that is none. */
  private static ServerCall.Listener<byte[]> answers(ServerCall<byte[], byte[]> call, String encoding) {
    call.setCompression(encoding);
    call.sendHeaders(new Metadata());
    call.request(Integer.MAX_VALUE);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(byte[] message) {
        call.sendMessage(NO_MESSAGE);
      }
    };
  }

  /** Calls itself gzip, and makes the same bytes of every message. */
  private record Corrupt(byte[] bytes) implements Compressor {
    @Override
    public String getMessageEncoding() {
      return "gzip";
    }

    @Override
    public OutputStream compress(OutputStream to) {
      return new OutputStream() {
        @Override
        public void write(int b) {}

        @Override
        public void close() throws IOException {
          to.write(bytes);
          to.close();
        }
      };
    }
  }
}
