package rpcbench.android.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Bytes from any threads to one. Unlike that of java.io it asks no writer to live on. What is in it is bounded by what its writers
 * send before they wait for an answer.
 */
final class Pipe {
  private final Deque<byte[]> pieces = new ArrayDeque<>(); // under this object's lock, as what follows
  private int read; // of the first piece
  private boolean closed;

  final InputStream in = new InputStream() {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      return take(into, from, most);
    }
  };

  final OutputStream out = new OutputStream() {
    @Override
    public void write(int one) throws IOException {
      put(new byte[] {(byte) one});
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      put(Arrays.copyOfRange(bytes, from, from + length));
    }

    @Override
    public void close() {
      end();
    }
  };

  private synchronized void put(byte[] piece) throws IOException {
    if (closed) {
      throw new IOException("the pipe is closed");
    }
    if (piece.length > 0) {
      pieces.add(piece);
      notifyAll();
    }
  }

  private synchronized void end() {
    closed = true;
    notifyAll();
  }

  private synchronized int take(byte[] into, int from, int most) throws IOException {
    while (pieces.isEmpty()) {
      if (closed) {
        return -1;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }
    byte[] first = pieces.peek();
    int n = Math.min(most, first.length - read);
    System.arraycopy(first, read, into, from, n);
    read += n;
    if (read == first.length) {
      pieces.remove();
      read = 0;
    }
    return n;
  }
}
