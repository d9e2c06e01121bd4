package rpcbench.httpjson;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import rpcbench.stack.Wire;

/** An accepted socket, counted below TLS. It is closed if there are too many, or if its first request takes too long. */
final class CountedEndPoint extends SocketChannelEndPoint {
  private final Admission admission;
  private final Wire wire;
  private volatile Scheduler.Task patience; // null without a limit

  CountedEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler, Admission admission) {
    super(channel, selector, key, scheduler);
    this.admission = admission;
    this.wire = admission.wire();
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
    boolean admitted = admission.opened();
    super.onOpen();
    if (!admitted) {
      close();
    } else if (admission.headerNs() > 0) {
      patience = getScheduler().schedule(this::close, admission.headerNs(), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void onClose(Throwable cause) {
    admission.closed();
    heard();
    super.onClose(cause);
  }

  private void heard() {
    if (patience != null) {
      patience.cancel();
    }
  }

  /** Notes that a request's headers have arrived; an HttpConfiguration.Customizer. */
  static Request began(Request request, HttpFields.Mutable headers) {
    EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
    while (end instanceof EndPoint.Wrapper outer) {
      end = outer.unwrap();
    }
    ((CountedEndPoint) end).heard();
    return request;
  }
}
