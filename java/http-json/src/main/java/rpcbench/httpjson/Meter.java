package rpcbench.httpjson;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import rpcbench.stack.Wire;

/** Counts one socket, and the bytes on it. */
final class Meter {
  private final Wire wire;
  private final AtomicBoolean open = new AtomicBoolean();

  Meter(Wire wire) {
    this.wire = wire;
  }

  void connected() {
    open.set(true);
    wire.opened();
  }

  /** May be told more than once. */
  void closed() {
    if (open.compareAndSet(true, false)) {
      wire.closed();
    }
  }

  InputStream count(InputStream in) {
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

  OutputStream count(OutputStream out) {
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
