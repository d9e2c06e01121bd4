package rpcbench.worker;

import java.io.IOException;
import java.util.List;
import rpcbench.host.Battery;
import rpcbench.stack.CallException;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Command;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Dumped;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Profiled;
import rpcbench.worker.v1.Worker.Serve;
import rpcbench.worker.v1.Worker.Serving;

/** Obeys Commands, for one thread: a server after Serve, a client after Connect; within a process both. */
final class Conversation {
  /** The network within a process. */
  private static final String INPROC = "inproc";

  private final List<Stack> stacks;
  private final Events events;
  private final Evidence evidence;
  private final Snapshots snapshots;
  private Wire wire = new Wire(); // of the last Connect, or of the server
  private Ports server; // null before Serve
  private boolean servesInproc; // also to a client in this process
  private Client client; // of the last Connect; null before one, and if it failed, as phases
  private Phases phases;

  Conversation(List<Stack> stacks, Events events, Battery battery) {
    this.stacks = stacks;
    this.events = events;
    this.snapshots = new Snapshots(battery);
    this.evidence = new Evidence(events);
  }

  /** Carries a command out and answers it, but for a phase, which answers when it is over. */
  void obey(Command command) throws IOException {
    Event answer;
    try {
      answer = answer(command);
    } catch (FaultException e) {
      answer = e.event();
    } catch (RuntimeException | LinkageError e) {
      e.printStackTrace(); // for humans, on standard error
      answer = new FaultException("", "the worker failed: " + CallException.reason(e)).event();
    } catch (OutOfMemoryError e) { // what the command allocated is garbage now
      answer = new FaultException("", "the worker ran out of memory: " + CallException.reason(e)).event();
    }
    if (answer != null) {
      events.send(answer);
    }
  }

  private Event answer(Command command) throws FaultException {
    Event.Builder event = Event.newBuilder();
    switch (command.getCommandCase()) {
      case SERVE -> event.setServing(serve(command.getServe()));
      case CONNECT -> {
        connect(command.getConnect());
        event.setConnected(client.connected());
      }
      case BEGIN -> {
        begin(command.getBegin());
        return null;
      }
      case MARK -> event.setSnapshot(snapshots.take(command.getMark(), wire, client));
      case STOP -> {
        if (phases != null) {
          phases.stop(command.getStop());
        }
        return null;
      }
      case PROFILE -> {
        evidence.profile(command.getProfile().getEnd());
        event.setProfiled(Profiled.getDefaultInstance());
      }
      case DUMP -> {
        evidence.dump(command.getDump().getHeap());
        event.setDumped(Dumped.getDefaultInstance());
      }
      default -> throw new FaultException("command", "this worker does not know the command");
    }
    return event.build();
  }

  private Serving serve(Serve c) throws FaultException {
    checkFree("serve", server == null && client == null);
    boolean inproc = c.getNetwork().equals(INPROC);
    server = Servers.start(c, stacks, inproc ? new Wire() : wire); // with both sides in one process, only the client reports
    servesInproc = inproc;
    return Serving.newBuilder().setAddress(server.address()).addAllMoreAddresses(server.moreAddresses()).build();
  }

  private void connect(Connect c) throws FaultException {
    checkFree("connect", server == null || servesInproc && c.getNetwork().equals(INPROC));
    if (client != null) {
      leave();
    }
    wire = new Wire();
    Client opened = Client.connect(c, stacks, wire);
    try {
      phases = new Phases(opened, events);
      client = opened;
    } finally {
      if (client == null) {
        opened.close();
      }
    }
  }

  /** Closes all that the last Connect opened. */
  private void leave() throws FaultException {
    if (phases.running()) {
      throw new FaultException("connect", "a phase is still running");
    }
    client.close();
    client = null;
    phases = null;
    long open = wire.awaitClosed(Limits.CLOSING_PATIENCE_NS);
    if (open > 0) {
      throw new FaultException("connect", open + " sockets of the connections before are still open");
    }
  }

  private static void checkFree(String command, boolean free) throws FaultException {
    if (!free) {
      throw new FaultException(command, "this worker is busy with an earlier Serve or Connect");
    }
  }

  private void begin(Begin c) throws FaultException {
    if (phases == null) {
      throw new FaultException("begin", "there was no Connect before it");
    }
    phases.begin(c);
  }

  /** Stops everything, within the five seconds that the protocol allows. */
  void end() {
    evidence.end();
    if (client != null) {
      phases.abort();
      client.close();
    }
    if (server != null) {
      try {
        server.stop(Limits.STOP_GRACE_NS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
