package rpcbench.microbench;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.InternalChannelz;
import io.grpc.InternalChannelz.ServerStats;
import io.grpc.InternalChannelz.SocketStats;
import io.grpc.InternalInstrumented;
import io.grpc.InternalLogId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Channelz keeps a list of all channels, servers and sockets of a process, whether it is queried or not. Each operation here adds
 * an entry and removes it, as a connection does in its life, so that the lists keep their length.
 */
public class ChannelzBenchmark extends CostBenchmark {
  /** The number of servers, of sockets, and of sockets of the one server that exist already. */
  @Param({"10", "10000"})
  public int preexisting;

  final InternalChannelz channelz = new InternalChannelz();
  private final InternalInstrumented<ServerStats> busy = new Entry<>();
  private final InternalInstrumented<ServerStats> server = new Entry<>();
  private final InternalInstrumented<SocketStats> socket = new Entry<>();

  @Setup(Level.Trial)
  public void fill() {
    channelz.addServer(busy);
    for (int i = 0; i < preexisting; i++) {
      InternalInstrumented<SocketStats> other = new Entry<>();
      channelz.addServer(new Entry<>());
      channelz.addClientSocket(other);
      channelz.addServerSocket(busy, other);
    }
  }

  /** Adds to and removes from a list that is paged, and therefore sorted. */
  @Benchmark
  public void server() {
    channelz.addServer(server);
    channelz.removeServer(server);
  }

  @Benchmark
  public void clientSocket() {
    channelz.addClientSocket(socket);
    channelz.removeClientSocket(socket);
  }

  @Benchmark
  public void serverSocket() {
    channelz.addServerSocket(busy, socket);
    channelz.removeServerSocket(busy, socket);
  }

  /** An entry whose figures are never queried. */
  private static final class Entry<T> implements InternalInstrumented<T> {
    private final InternalLogId id = InternalLogId.allocate(Entry.class, null);

    @Override
    public ListenableFuture<T> getStats() {
      throw new UnsupportedOperationException("nobody asks for figures");
    }

    @Override
    public InternalLogId getLogId() {
      return id;
    }
  }
}
