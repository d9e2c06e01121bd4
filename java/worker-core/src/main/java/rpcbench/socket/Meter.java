package rpcbench.socket;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import rpcbench.stack.Wire;

/** The counters of a socket of any class: it reports that the socket is open, and has one counted stream for each direction. */
public final class Meter {
  /** Gives a socket's own stream. */
  @FunctionalInterface
  public interface Opening<T> {
    T open() throws IOException;
  }

  private final Wire wire;
  private final AtomicBoolean open = new AtomicBoolean();
  private InputStream in;
  private OutputStream out;

  public Meter(Wire wire) {
    this.wire = wire;
  }

  /** Is called once, when the socket has connected. */
  public void connected(Socket socket) {
    open.set(true);
    wire.opened();
    if (socket.isClosed()) { // meanwhile, by a cancelled call
      closed();
    }
  }

  /** May be called more than once. */
  public void closed() {
    if (open.compareAndSet(true, false)) {
      wire.closed();
    }
  }

  /** Returns the same stream whenever it is asked. */
  public synchronized InputStream in(Opening<InputStream> own) throws IOException {
    if (in == null) {
      in = count(own.open());
    }
    return in;
  }

  /** Returns the same stream whenever it is asked. */
  public synchronized OutputStream out(Opening<OutputStream> own) throws IOException {
    if (out == null) {
      out = count(own.open());
    }
    return out;
  }

  private InputStream count(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int got = in.read();
        if (got >= 0) {
          wire.received(1);
        }
        return got;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int got = in.read(into, offset, length);
        if (got > 0) {
          wire.received(got);
        }
        return got;
      }

      @Override
      public long skip(long n) throws IOException {
        long skipped = in.skip(n);
        wire.received(skipped);
        return skipped;
      }
    };
  }

  private OutputStream count(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(int b) throws IOException {
        out.write(b);
        wire.sent(1);
      }

      @Override
      public void write(byte[] from, int offset, int length) throws IOException {
        out.write(from, offset, length);
        wire.sent(length);
      }
    };
  }
}
