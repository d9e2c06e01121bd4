package rpcbench.grpcjava;

import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;

/** A connection whose event loops end with it. */
final class OwnLoops implements Conn {
  private final Conn conn;
  private final EventLoopGroup loops;

  private OwnLoops(Conn conn, EventLoopGroup loops) {
    this.conn = conn;
    this.loops = loops;
  }

  /** Opens a connection on the given event loops. */
  @FunctionalInterface
  interface Dial {
    Conn on(EventLoopGroup loops) throws CallException;
  }

  static Conn dial(EventLoopGroup loops, Dial dial) throws CallException {
    try {
      return new OwnLoops(dial.on(loops), loops);
    } catch (CallException | RuntimeException e) {
      end(loops);
      throw e;
    }
  }

  @Override
  public Caller caller(Call call, int slot) throws CallException {
    return conn.caller(call, slot);
  }

  @Override
  public void ready() throws CallException {
    conn.ready();
  }

  @Override
  public void close() {
    conn.close();
    end(loops);
  }

  /** Does not wait, because the sockets are closed. */
  private static void end(EventLoopGroup loops) {
    loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }
}
