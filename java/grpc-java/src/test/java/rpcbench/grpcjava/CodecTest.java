package rpcbench.grpcjava;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;
import rpcbench.stack.Stack;

/** Each side chooses its codec independently; the bytes on the wire are the same. */
class CodecTest {
  private static final Map<String, String> PROTO = Map.of("codec", "proto");
  private static final Map<String, String> BYTES = Map.of("codec", "bytes");

  static java.util.stream.Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void eitherSideCanHaveIt(Stack client) throws Exception {
    for (Stack serving : List.of(new NettyStack(), new OkHttpServerStack())) {
      for (boolean serverHas : new boolean[] {true, false}) {
        Rig rig = new Rig(client, serving);
        rig.serverOptions = serverHas ? BYTES : PROTO;
        rig.clientOptions = serverHas ? PROTO : BYTES;
        try (rig) {
          rig.serve();
          all(rig, "none", 0, 0);
          all(rig, "none", 0, 20_000);
          all(rig, "gzip", 1000, 1000);
        }
      }
    }
  }

  private static void all(Rig rig, String compression, int request, int response) throws Exception {
    try (Conn conn = rig.dial(compression, 2)) {
      for (Map.Entry<String, Call> each : Calls.all(request, response, 2).entrySet()) {
        String what = each.getKey() + " of " + request + " and " + response + ", " + compression;
        Calls.assertAll(Code.OK, Calls.call(Calls.callers(conn, each.getValue(), 2)), what);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aWrongPayloadIsFound(Stack client) throws Exception {
    Rig rig = new Rig(client);
    rig.clientOptions = BYTES;
    rig.serverOptions = BYTES;
    rig.reply = bytes -> new byte[bytes];
    try (rig; Conn conn = rig.serve().dial()) {
      for (String kind : List.of(Kind.UNARY, Kind.PING_PONG, Kind.DOWNLOAD)) {
        Calls.assertAll(Code.MISMATCH, Calls.call(Calls.callers(conn, Calls.all(10, 20, 1).get(kind), 1)), kind);
      }
    }
  }
}
