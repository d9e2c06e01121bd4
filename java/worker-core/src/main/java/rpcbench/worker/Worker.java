package rpcbench.worker;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import rpcbench.host.Battery;
import rpcbench.stack.CallException;
import rpcbench.stack.Stack;
import rpcbench.worker.v1.Worker.Command;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Hello;

/** Hosts stacks. */
public final class Worker {
  /**
   * The property by which the launcher says where it has moved standard output. Without a launcher any file may have that
   * descriptor, even one of the JVM's own, and opening it for writing would empty it.
   */
  private static final String EVENTS = "rpcbench.events";

  /** The time for everything to end after the end of the input; the driver kills the process a second later. */
  private static final long END_PATIENCE_NS = 4_000_000_000L;

  private Worker() {}

  /**
   * The main function of a worker's process. It never returns: it exits with 0 at the end of the input, and with 1 if the
   * conversation broke off.
   */
  public static void run(Stack... stacks) {
    System.exit(serve(List.of(stacks), System.getProperty(EVENTS)));
  }

  private static int serve(List<Stack> stacks, String events) {
    if (events == null) {
      System.err.println("start the worker by its launcher, the file worker next to its folder lib");
      return 1;
    }
    try (OutputStream out = new FileOutputStream(events)) {
      String sessions = System.getenv(Sessions.PATH);
      if (sessions != null && !sessions.isEmpty()) {
        Sessions.listen(stacks, sessions);
      }
      converse(stacks, System.in, out, Worker::endInTime);
      return 0;
    } catch (FileNotFoundException e) {
      System.err.println("there is no pipe at " + events + ": start the worker with a pipe as output");
    } catch (IOException e) {
      complain(e);
    }
    return 1;
  }

  static void complain(IOException broken) {
    System.err.println("the worker: " + CallException.reason(broken));
  }

  /** Exits in time, whatever a library still does. broken is null if the input ended properly. */
  private static void endInTime(IOException broken) {
    Threads.start(
        "rpcbench-end",
        () -> {
          long until = System.nanoTime() + END_PATIENCE_NS;
          while (System.nanoTime() - until < 0) {
            LockSupport.parkNanos(until - System.nanoTime());
          }
          if (broken != null) {
            complain(broken);
          }
          Runtime.getRuntime().halt(broken == null ? 0 : 1);
        });
  }

  /**
   * Executes the commands on in until it ends, and then stops everything.
   *
   * @param onEnd is called once when in has ended, with null, or has broken off, with the reason; a command may still be
   *     running then
   * @throws IOException says why the conversation broke off
   */
  public static void converse(
      List<Stack> stacks, InputStream in, OutputStream out, Consumer<IOException> onEnd) throws IOException {
    converse(Greeting.of(stacks), stacks, Battery.NONE, in, out, onEnd);
  }

  /**
   * Does the same as a part of an app, on a machine with a battery, whose level snapshots have. Hello says that it is embedded.
   *
   * @throws IOException says why the conversation broke off
   */
  public static void converseInApp(List<Stack> stacks, Battery battery, InputStream in, OutputStream out) throws IOException {
    converse(Greeting.of(stacks).toBuilder().setEmbedded(true).build(), stacks, battery, in, out, broken -> {});
  }

  private static void converse(
      Hello hello, List<Stack> stacks, Battery battery, InputStream in, OutputStream out, Consumer<IOException> onEnd)
      throws IOException {
    Events events = new Events(out);
    Conversation conversation = new Conversation(stacks, events, battery);
    try {
      events.send(Event.newBuilder().setHello(hello).build());
      Inbox inbox = new Inbox(in, onEnd);
      for (Command command = inbox.next(); command != null; command = inbox.next()) {
        conversation.obey(command);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the worker was interrupted", e);
    } finally {
      events.close();
      conversation.end();
    }
  }
}
