package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Command;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Load;
import rpcbench.worker.v1.Worker.Phase;

class SessionsTest {
  @TempDir private Path folder;

  /** A connection, on which a command is written before its answer is read. */
  private record Session(SocketChannel channel, InputStream events) implements AutoCloseable {
    static Session open(Path socket) throws IOException {
      SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
      Session session = new Session(channel, Channels.newInputStream(channel));
      assertTrue(session.next().hasHello());
      return session;
    }

    Event next() throws IOException {
      return Event.parseDelimitedFrom(events);
    }

    Event answer(Command.Builder command) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      command.build().writeDelimitedTo(bytes);
      channel.write(ByteBuffer.wrap(bytes.toByteArray()));
      return next();
    }

    /** Ends the input, after which the worker's events end. */
    void end() throws IOException {
      channel.shutdownOutput();
      assertNull(next());
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Test
  void eachHasARoleOfItsOwnAndEndsAlone() throws Exception {
    Path socket = folder.resolve("s");
    Sessions.listen(List.of(EchoStack.multiplexed()), socket.toString());
    try (Session server = Session.open(socket);
        Session client = Session.open(socket)) {
      Event serving = server.answer(Command.newBuilder().setServe(Commands.serve("echo")));
      assertTrue(serving.hasServing(), serving.toString());
      String address = serving.getServing().getAddress();
      Event connected =
          client.answer(Command.newBuilder().setConnect(Commands.connect("echo", Kind.UNARY, address)));
      assertTrue(connected.hasConnected(), connected.toString());
      Event event = client.answer(Command.newBuilder().setBegin(calls(3)));
      while (event.hasInterval()) {
        event = client.next();
      }
      assertEquals(3, event.getDone().getArrivals(), event.toString());
      client.end();
      try (Session later = Session.open(socket)) {
        connected = later.answer(Command.newBuilder().setConnect(Commands.connect("echo", Kind.UNARY, address)));
        assertTrue(connected.hasConnected(), connected.toString());
        later.end();
      }
      server.end();
    }
  }

  private static Begin calls(long calls) {
    return Begin.newBuilder()
        .setPhase(Phase.PHASE_MEASURED)
        .setCalls(calls)
        .setDrainNs(Commands.HOUR_NS)
        .setLoad(Load.newBuilder().setArrivals("closed"))
        .build();
  }
}
