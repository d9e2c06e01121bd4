package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import rpcbench.stack.Stack;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Command;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Connected;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Hello;
import rpcbench.worker.v1.Worker.Interval;
import rpcbench.worker.v1.Worker.Mark;
import rpcbench.worker.v1.Worker.Serve;
import rpcbench.worker.v1.Worker.Snapshot;
import rpcbench.worker.v1.Worker.Stop;

/** Plays the driver with a worker in this JVM. */
final class Driver implements AutoCloseable {
  private final OutputStream commands;
  private final BlockingQueue<Optional<Event>> events = new LinkedBlockingQueue<>(); // empty after the last
  private final CompletableFuture<IOException> ended = new CompletableFuture<>(); // with null when all went well
  final Hello hello;

  /** Starts a worker and reads its Hello. */
  Driver() throws Exception {
    Pipe in = Pipe.open();
    Pipe out = Pipe.open();
    commands = Channels.newOutputStream(in.sink());
    List<Stack> stacks = List.of(EchoStack.multiplexed(), EchoStack.single(), new CodecStack());
    Threads.start("worker", () -> converse(stacks, Channels.newInputStream(in.source()), out));
    Threads.start("events", () -> read(Channels.newInputStream(out.source())));
    hello = next().getHello();
  }

  private void converse(List<Stack> stacks, InputStream in, Pipe out) {
    IOException broken = null;
    try (OutputStream events = Channels.newOutputStream(out.sink())) {
      Worker.converse(stacks, in, events, why -> {});
    } catch (IOException e) {
      broken = e;
    } finally { // also after an Error, lest the test wait for ever
      ended.complete(broken);
    }
  }

  private void read(InputStream in) {
    try {
      for (Event event = Event.parseDelimitedFrom(in); event != null; event = Event.parseDelimitedFrom(in)) {
        events.add(Optional.of(event));
      }
    } catch (IOException e) {
      ended.complete(e);
    } finally {
      events.add(Optional.empty());
    }
  }

  Event next() throws InterruptedException {
    return events.take().orElseThrow(() -> new AssertionError("the worker has ended"));
  }

  void send(Command.Builder command) throws IOException {
    write(command.build());
  }

  void write(MessageLite message) throws IOException {
    message.writeDelimitedTo(commands);
    commands.flush();
  }

  /** Writes bytes that may not be a command. */
  void write(byte[] bytes) throws IOException {
    commands.write(bytes);
    commands.flush();
  }

  /** Returns the next event that is not an Interval; each receives the Intervals before it. */
  Event answer(Consumer<Interval> each) throws InterruptedException {
    Event event = next();
    for (; event.hasInterval(); event = next()) {
      each.accept(event.getInterval());
    }
    return event;
  }

  /** Waits for an Interval of which something holds. */
  void await(Predicate<Interval> holds) throws InterruptedException {
    Event event = next();
    while (event.hasInterval() && !holds.test(event.getInterval())) {
      event = next();
    }
    assertTrue(event.hasInterval(), event.toString());
  }

  Event ask(Command.Builder command) throws Exception {
    send(command);
    return answer(interval -> {});
  }

  Event ask(Serve.Builder serve) throws Exception {
    return ask(Command.newBuilder().setServe(serve));
  }

  Event ask(Connect.Builder connect) throws Exception {
    return ask(Command.newBuilder().setConnect(connect));
  }

  Event ask(Begin.Builder begin) throws Exception {
    return ask(Command.newBuilder().setBegin(begin));
  }

  String serve(Serve.Builder serve) throws Exception {
    Event event = ask(serve);
    assertTrue(event.hasServing(), () -> event.toString());
    return event.getServing().getAddress();
  }

  Connected connect(Connect.Builder connect) throws Exception {
    Event event = ask(connect);
    assertTrue(event.hasConnected(), () -> event.toString());
    return event.getConnected();
  }

  Snapshot mark() throws Exception {
    return mark(Mark.getDefaultInstance());
  }

  Snapshot mark(Mark mark) throws Exception {
    Event event = ask(Command.newBuilder().setMark(mark));
    assertTrue(event.hasSnapshot(), () -> event.toString());
    return event.getSnapshot();
  }

  void begin(Begin.Builder begin) throws IOException {
    send(Command.newBuilder().setBegin(begin));
  }

  Done phase(Begin.Builder begin) throws Exception {
    return done(ask(begin));
  }

  /** Ends a phase early; each receives its remaining Intervals. */
  Done stop(Consumer<Interval> each) throws Exception {
    send(Command.newBuilder().setStop(Stop.getDefaultInstance()));
    return done(answer(each));
  }

  static Done done(Event event) {
    assertTrue(event.hasDone(), event::toString);
    return event.getDone();
  }

  static void assertFault(String field, Event event) {
    assertEquals(field, event.hasFault() ? event.getFault().getField() : event.toString());
    assertTrue(!event.getFault().getMessage().isEmpty(), "the Fault has no message");
  }

  /** Ends the input, and returns why the conversation broke off, null when all went well. */
  IOException end() throws Exception {
    commands.close();
    return ended.get();
  }

  @Override
  public void close() {
    try {
      end();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
