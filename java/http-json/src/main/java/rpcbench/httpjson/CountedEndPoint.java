package rpcbench.httpjson;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Scheduler;
import rpcbench.stack.Wire;

/** An accepted socket that is counted, below TLS. */
final class CountedEndPoint extends SocketChannelEndPoint {
  private final Wire wire;

  CountedEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler, Wire wire) {
    super(channel, selector, key, scheduler);
    this.wire = wire;
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    int filled = super.fill(buffer);
    if (filled > 0) {
      wire.received(filled);
    }
    return filled;
  }

  @Override
  public boolean flush(ByteBuffer... buffers) throws IOException {
    long before = remaining(buffers);
    boolean flushed = super.flush(buffers);
    wire.sent(before - remaining(buffers));
    return flushed;
  }

  private static long remaining(ByteBuffer[] buffers) {
    long sum = 0;
    for (ByteBuffer buffer : buffers) {
      sum += buffer.remaining();
    }
    return sum;
  }

  @Override
  public void onOpen() {
    wire.opened();
    super.onOpen();
  }

  @Override
  public void onClose(Throwable cause) {
    wire.closed();
    super.onClose(cause);
  }
}
