package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Event;

/** A Patience's clock advances by 1 ms whenever it is read. A stream opens when its time on that clock has passed. */
class IdleStreamsTest {
  private static final long MS = 1_000_000;
  private static final Connect THREE =
      Commands.connect("echo", Kind.UNARY, "127.0.0.1:0").setIdleStreams(3).build();

  private final FarConn near = new FarConn(2 * MS);
  private final FarConn never = new FarConn(Long.MAX_VALUE);
  private long now;
  private Runnable onTick = () -> {};

  private Patience patience() {
    return new Patience(3 * MS, this::tick, () -> 0);
  }

  private long tick() {
    now += MS;
    onTick.run();
    return now;
  }

  @Test
  void eachIsWaitedForAnew() throws CallException {
    IdleStreams.open(List.of(near, near), THREE, this::patience);
    assertEquals(6, near.opened);
  }

  @Test
  void oneThatDoesNotOpenIsLate() {
    CallException failed =
        assertThrows(CallException.class, () -> IdleStreams.open(List.of(near, never), THREE, this::patience));
    assertEquals(Code.DEADLINE_EXCEEDED, failed.code());
    assertEquals("an idle stream was not open within 0 s", failed.getMessage());
    assertEquals(3, near.opened);
    assertEquals(1, never.cancelled);
  }

  /** Our own servers answer with the request's bytes; those of others may have any. */
  @Test
  void theirRepliesAreCheckedAsThoseOfCalls() throws Exception {
    try (Driver server = new Driver();
        Driver client = new Driver()) {
      String address = server.serve(Commands.serve("echo"));
      assertEquals("connect.idle_streams MISMATCH", fault(client.ask(connect(address, "wrong", false))));
      client.connect(connect(address, "wrong", true));
      assertEquals("connect.idle_streams MISMATCH", fault(client.ask(connect(address, "short", true))));
    }
  }

  private static Connect.Builder connect(String address, String reply, boolean lengthsOnly) {
    Connect.Builder connect = Commands.connect("echo", Kind.UNARY, address).setIdleStreams(2).putOptions("reply", reply);
    connect.getCallBuilder().setLengthsOnly(lengthsOnly);
    return connect;
  }

  /** The field of a Fault and the code in its message. */
  private static String fault(Event event) {
    String message = event.getFault().getMessage();
    return event.getFault().getField() + " " + message.replaceFirst("an idle stream could not be opened: (\\w+): .+", "$1");
  }

  private final class FarConn implements Conn {
    private final long streamNs;
    private int opened;
    private int cancelled;

    FarConn(long streamNs) {
      this.streamNs = streamNs;
    }

    @Override
    public Caller caller(Call call, int slot) {
      return new Caller() {
        @Override
        public void start(Done done) {
          long begun = now;
          onTick = () -> {
            if (now - begun >= streamNs) {
              onTick = () -> {};
              opened++;
              done.done(null);
            }
          };
        }

        @Override
        public void cancel() {
          cancelled++;
        }

        @Override
        public void late() {}

        @Override
        public CallException after() {
          return null;
        }
      };
    }

    @Override
    public void ready() {}

    @Override
    public void close() {}
  }
}
