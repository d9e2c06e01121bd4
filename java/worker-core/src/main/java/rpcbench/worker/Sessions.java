package rpcbench.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import rpcbench.host.JvmOnly;
import rpcbench.stack.Stack;

/**
 * Further conversations in a worker's process, besides the one on its pipe, each over a connection to a Unix socket and with its
 * own role. With them, a suite that makes hundreds need not start as many JVMs.
 */
@JvmOnly
final class Sessions {
  /** The environment variable that names the socket. */
  static final String PATH = "RPCBENCH_SESSIONS";

  private Sessions() {}

  /** Listens at path, until the process ends. */
  static void listen(List<Stack> stacks, String path) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(Path.of(path)));
    Threads.start("rpcbench-sessions", () -> accept(stacks, listener));
  }

  private static void accept(List<Stack> stacks, ServerSocketChannel listener) {
    try {
      while (true) {
        SocketChannel channel = listener.accept();
        Threads.start("rpcbench-session", () -> converse(stacks, channel));
      }
    } catch (IOException e) {
      Worker.complain(e);
    }
  }

  private static void converse(List<Stack> stacks, SocketChannel channel) {
    try (channel) {
      Worker.converse(stacks, new In(channel), new Out(channel), broken -> {});
    } catch (IOException e) {
      Worker.complain(e);
    }
  }

  /** The streams of {@link java.nio.channels.Channels} keep a thread from writing while another waits to read, in JDK 17. */
  private static final class In extends InputStream {
    private final SocketChannel channel;

    In(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      Objects.checkFromIndexSize(from, length, into.length);
      return length == 0 ? 0 : channel.read(ByteBuffer.wrap(into, from, length));
    }
  }

  private static final class Out extends OutputStream {
    private final SocketChannel channel;

    Out(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      ByteBuffer left = ByteBuffer.wrap(bytes, from, length);
      while (left.hasRemaining()) {
        channel.write(left);
      }
    }
  }
}
