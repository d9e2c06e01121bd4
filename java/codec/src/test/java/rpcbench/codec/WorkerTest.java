package rpcbench.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import rpcbench.worker.Worker;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Call;
import rpcbench.worker.v1.Worker.Command;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Load;
import rpcbench.worker.v1.Worker.Phase;

/** Tests the stack in a worker that speaks worker.v1. */
class WorkerTest {
  @Test
  void everyCodecIsMeasured() throws Exception {
    CodecStack stack = Main.stack();
    assertTrue(stack.info().library().contains("protobuf-java 4."), stack.info().library());
    assertEquals(stack.info().codecs().size(), Main.codecs().size());
    for (String codec : stack.info().codecs()) {
      measure(stack, codec);
    }
  }

  private static void measure(CodecStack stack, String codec) throws Exception {
    Pipe in = Pipe.open();
    Pipe out = Pipe.open();
    CompletableFuture<IOException> ended = new CompletableFuture<>();
    new Thread(() -> ended.complete(converse(stack, in, out))).start();
    try (InputStream events = Channels.newInputStream(out.source())) {
      try (OutputStream commands = Channels.newOutputStream(in.sink())) {
        assertEquals("codec-java", Event.parseDelimitedFrom(events).getHello().getStacks(0).getName());
        Command.newBuilder().setConnect(connect(codec)).build().writeDelimitedTo(commands);
        Event connected = Event.parseDelimitedFrom(events);
        assertTrue(connected.getConnected().getCodec().getRepeat() >= 1, codec + ": " + connected);
        assertTrue(connected.getConnected().getCodec().getEncodedBytes() > 0, codec + ": " + connected);
        Command.newBuilder().setBegin(begin()).build().writeDelimitedTo(commands);
        Done done = done(events);
        assertEquals(3, done.getArrivals(), codec);
        assertEquals("OK", done.getOutcomes(0).getCode(), done.getOutcomes(0).getExample());
        assertEquals(3, done.getOutcomes(0).getCalls(), codec);
      }
      assertNull(ended.get());
    }
  }

  private static Connect connect(String codec) {
    Call call =
        Call.newBuilder()
            .setKind("decode")
            .setMessage("large-sparse")
            .setCodec(codec)
            .setSeed(-1)
            .setSampleNs(2_000_000)
            .setDeadlineNs(3_600_000_000_000L)
            .build();
    return Connect.newBuilder().setStack("codec-java").setCall(call).setConnections(1).setInFlight(1).build();
  }

  private static Begin begin() {
    return Begin.newBuilder()
        .setPhase(Phase.PHASE_MEASURED)
        .setCalls(3)
        .setDrainNs(3_600_000_000_000L)
        .setLoad(Load.newBuilder().setArrivals("closed"))
        .build();
  }

  private static Done done(InputStream events) throws IOException {
    Event event = Event.parseDelimitedFrom(events);
    while (event.hasInterval()) {
      event = Event.parseDelimitedFrom(events);
    }
    assertTrue(event.hasDone(), event.toString());
    return event.getDone();
  }

  private static IOException converse(CodecStack stack, Pipe in, Pipe out) {
    try (OutputStream events = Channels.newOutputStream(out.sink())) {
      Worker.converse(List.of(stack), Channels.newInputStream(in.source()), events, broken -> {});
      return null;
    } catch (IOException e) {
      return e;
    }
  }
}
