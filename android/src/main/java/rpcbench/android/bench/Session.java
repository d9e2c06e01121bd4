package rpcbench.android.bench;

import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import rpcbench.host.Battery;
import rpcbench.stack.Stack;
import rpcbench.worker.Worker;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Command;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Connected;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Fault;
import rpcbench.worker.v1.Worker.Hello;
import rpcbench.worker.v1.Worker.Interval;
import rpcbench.worker.v1.Worker.Mark;
import rpcbench.worker.v1.Worker.Snapshot;
import rpcbench.worker.v1.Worker.Stop;

/** A session of worker.v1 with a worker in this process. One thread uses it, but for stop. */
final class Session implements AutoCloseable {
  private final Pipe commands = new Pipe();
  private final Pipe events = new Pipe();
  private final Hello hello;

  /** Starts a worker of these stacks. */
  Session(List<Stack> stacks, Battery battery) throws IOException {
    Thread worker = new Thread(() -> serve(stacks, battery), "rpcbench-worker");
    worker.setDaemon(true);
    worker.start();
    hello = next().getHello();
  }

  private void serve(List<Stack> stacks, Battery battery) {
    try {
      Worker.converseInApp(stacks, battery, commands.in, events.out);
    } catch (IOException e) {
      System.err.println("the worker: " + e.getMessage()); // its events end, which the other side reports
    } finally {
      try {
        events.out.close();
      } catch (IOException e) {
        throw new IllegalStateException(e); // a Pipe throws none
      }
    }
  }

  /** What the worker is and can do. */
  Hello hello() {
    return hello;
  }

  Connected connect(Connect connect) throws IOException {
    return ask(Command.newBuilder().setConnect(connect)).getConnected();
  }

  Snapshot mark() throws IOException {
    return ask(Command.newBuilder().setMark(Mark.getDefaultInstance())).getSnapshot();
  }

  /** Runs a phase to its end; hears is told of its intervals. */
  Done run(Begin begin, Consumer<Interval> hears) throws IOException {
    send(Command.newBuilder().setBegin(begin));
    while (true) {
      Event event = checked(next());
      if (event.hasDone()) {
        return event.getDone();
      }
      if (event.hasInterval()) {
        hears.accept(event.getInterval());
      }
    }
  }

  /** Ends the phase that runs, at once. Any thread may call it. */
  void stop() throws IOException {
    send(Command.newBuilder().setStop(Stop.newBuilder().setDrainNs(0)));
  }

  private Event ask(Command.Builder command) throws IOException {
    send(command);
    return checked(next());
  }

  private synchronized void send(Command.Builder command) throws IOException {
    command.build().writeDelimitedTo(commands.out);
  }

  private Event next() throws IOException {
    Event event = Event.parseDelimitedFrom(events.in);
    if (event == null) {
      throw new EOFException("the worker has ended");
    }
    return event;
  }

  private static Event checked(Event event) throws IOException {
    if (event.hasFault()) {
      Fault fault = event.getFault();
      throw new IOException(fault.getField().isEmpty() ? fault.getMessage() : fault.getField() + ": " + fault.getMessage());
    }
    return event;
  }

  /** Ends the commands, on which the worker ends. */
  @Override
  public void close() throws IOException {
    commands.out.close();
  }
}
