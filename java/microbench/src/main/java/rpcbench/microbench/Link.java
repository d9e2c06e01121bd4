package rpcbench.microbench;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A server of {@link ByteService} and channels to it. */
final class Link {
  /** The time limit for the end of each part; only a hang takes this long. */
  static final int CLOSE_SECONDS = 120;

  private static final Logger NETTY_LOG = Logger.getLogger("io.grpc.netty");

  private final Ends ends;
  private final Server server;
  private final List<ManagedChannel> channels = new ArrayList<>();

  /**
   * Starts the server and creates the channels, which connect with their first call.
   *
   * @param direct runs callbacks on the transport's threads, on both sides
   * @param windowBytes as in {@link Transport#ends}
   */
  Link(Transport transport, boolean direct, int channels, int windowBytes) throws IOException, InterruptedException {
    ends = transport.ends(windowBytes);
    try {
      server = server(direct).build().start();
    } catch (IOException | RuntimeException e) {
      ends.threads().close();
      throw e;
    }
    for (int i = 0; i < channels; i++) {
      this.channels.add(channel(direct));
    }
  }

  List<Channel> channels() {
    return Collections.unmodifiableList(channels);
  }

  /** Cancels what is still running and waits for both ends to terminate. Throws if one takes too long. */
  void close() throws InterruptedException {
    NETTY_LOG.setLevel(Level.SEVERE); // it would warn of every stream that is closed in the middle of a write
    try {
      boolean ended = endChannels();
      ended &= server.shutdownNow().awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
      ends.threads().close();
      if (!ended) {
        throw new IllegalStateException("a channel or the server had not ended after " + CLOSE_SECONDS + " s");
      }
    } finally {
      NETTY_LOG.setLevel(null);
    }
  }

  private boolean endChannels() throws InterruptedException {
    boolean ended = true;
    for (ManagedChannel channel : channels) {
      channel.shutdownNow();
    }
    for (ManagedChannel channel : channels) {
      ended &= channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
    return ended;
  }

  private ServerBuilder<?> server(boolean direct) {
    ServerBuilder<?> builder = ends.server().addService(ByteService.definition());
    return direct ? builder.directExecutor() : builder;
  }

  private ManagedChannel channel(boolean direct) {
    ManagedChannelBuilder<?> builder = ends.channel().apply(server);
    return (direct ? builder.directExecutor() : builder).build();
  }
}
