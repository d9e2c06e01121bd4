package rpcbench.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import rpcbench.host.Host;
import rpcbench.load.ParkWaiter;
import rpcbench.load.Room;
import rpcbench.stack.Calibrated;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger;
import rpcbench.stack.Ledger.Traffic;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.Codec;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Connected;

/** Holds the connections and slots of a Connect. */
final class Client {
  final Info info;
  private final Connect connect;
  final Wire wire;
  final Call call;
  private final MessagesWithin within; // the calls of a recipe's method; null without one
  private final List<Conn> conns = new ArrayList<>();
  private final ParkWaiter waiter = new ParkWaiter(Host::threadCpuNs, Host::lowerTimerSlack);
  private Room room;
  private FirstCaller first; // null for calls that open connections or have none
  private Background background; // null without one
  private Codec codec; // of encode and decode
  private Carried carried; // of the phases before, by the ledger

  private Client(Info info, Connect connect, Wire wire) throws FaultException {
    this.info = info;
    this.connect = connect;
    this.wire = wire;
    boolean foreign = connect.getCall().hasRecipe();
    this.within = foreign ? new MessagesWithin(connect.getCall().getMessageRatePerSec()) : null;
    try {
      this.call = foreign
          ? Calls.method(connect.getCall(), connect.getStreams(), Recipes.method(connect, within))
          : Calls.measured(connect.getCall(), connect.getStreams());
    } catch (FaultException | RuntimeException e) {
      if (within != null) {
        within.close(); // it has a thread
      }
      throw e;
    }
    this.carried = new Carried(Traffic.NONE, Traffic.NONE);
  }

  /** Opens the connections and fills the slots. */
  static Client connect(Connect c, List<Stack> stacks, Wire wire) throws FaultException {
    Stack stack = Check.stack("connect", c.getStack(), stacks);
    ConnectCheck.check(stack.info(), c);
    Dialer dialer = new Dialer(stack, c, Security.ofClient(c.getSecurity()), wire);
    Client client = new Client(stack.info(), c, wire);
    boolean opened = false;
    try {
      client.open(dialer);
      opened = true;
      return client;
    } catch (CallException e) {
      throw new FaultException("connect", e.code() + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new FaultException("connect", CallException.reason(e));
    } finally {
      if (!opened) {
        client.close();
      }
    }
  }

  private void open(Dialer dialer) throws CallException, FaultException {
    List<Caller> callers = Kind.opens(call.kind()) ? openers(dialer) : callers(dialer);
    long deadlineNs = connect.getCall().getDeadlineNs();
    IdleStreams.open(conns, connect);
    if (connect.hasBackground()) {
      background = new Background(besides(), deadlineNs);
    }
    room = new Room(callers, System::nanoTime, waiter, deadlineNs);
  }

  private List<Caller> openers(Dialer dialer) {
    List<Caller> callers = new ArrayList<>();
    for (int slot = 0; slot < connect.getConnections() * connect.getInFlight(); slot++) {
      int i = slot;
      callers.add(Opener.of(call, () -> dialer.dial(i)));
    }
    return callers;
  }

  /** Creates the callers slot by slot over all connections, so that a few calls in flight use all of them. */
  private List<Caller> callers(Dialer dialer) throws CallException {
    FirstCaller.Dialled dialled = dialer.patiently(0, () -> dialFirst(dialer));
    for (int i = 1; i < connect.getConnections(); i++) {
      int next = i;
      conns.add(dialer.patiently(i, () -> dialer.ready(next)));
    }
    List<Caller> callers = new ArrayList<>();
    for (int slot = 0; slot < connect.getInFlight(); slot++) {
      for (int i = 0; i < conns.size(); i++) {
        callers.add(conns.get(i).caller(call.on(i, conns.size()), slot));
      }
    }
    if (callers.get(0) instanceof Calibrated calibrated) {
      codec = codec(calibrated);
      return callers;
    }
    first = new FirstCaller(callers.get(0), dialled, wire);
    callers.set(0, first);
    return callers;
  }

  private FirstCaller.Dialled dialFirst(Dialer dialer) throws CallException {
    long begun = System.nanoTime();
    boolean named = connect.getNetwork().equals("tcp") && dialer.looksUp(0);
    long resolved = named ? System.nanoTime() : begun;
    conns.add(dialer.ready(0));
    return new FirstCaller.Dialled(begun, resolved, System.nanoTime());
  }

  private List<Caller> besides() throws FaultException {
    Call beside = Calls.background(connect.getBackground(), connect.getCall());
    List<Caller> callers = new ArrayList<>();
    try {
      for (Conn conn : conns) {
        callers.add(conn.caller(beside, 0));
      }
      return callers;
    } catch (CallException | IllegalArgumentException e) {
      throw new FaultException("connect.background", CallException.reason(e));
    }
  }

  private static Codec codec(Calibrated calibrated) {
    return Codec.newBuilder()
        .setRepeat(calibrated.repeat())
        .setEncodedBytes(calibrated.encodedBytes())
        .setGzippedBytes(calibrated.gzippedBytes())
        .setPlainBytes(calibrated.plainBytes())
        .build();
  }

  Connected connected() {
    Connected.Builder connected = Connected.newBuilder().setSockets((int) wire.socketsOpen());
    if (codec != null) {
      connected.setCodec(codec);
    }
    return connected.build();
  }

  Room room() {
    return room;
  }

  /** Null for connect, first_call, encode and decode. */
  FirstCaller first() {
    return first;
  }

  /** Null without one. */
  Background background() {
    return background;
  }

  /** Returns the CPU time of all waiting for due times. */
  OptionalLong pacerCpuNs() {
    OptionalLong pacer = waiter.cpuNs();
    return !pacer.isPresent() || within == null ? pacer : OptionalLong.of(pacer.getAsLong() + within.cpuNs());
  }

  /** Returns what times messages within calls; null without a recipe. */
  MessagesWithin within() {
    return within;
  }

  /** Returns what this phase's good calls of a foreign service carried: in total, and after the window. */
  Carried takeCarried() {
    Ledger ledger = call.ledger();
    Carried now = new Carried(ledger.traffic(), ledger.lateTraffic());
    Carried taken = new Carried(now.all.minus(carried.all), now.tail.minus(carried.tail));
    carried = now;
    return taken;
  }

  record Carried(Traffic all, Traffic tail) {}

  /** How many sockets were asked for. */
  long sockets() {
    return (long) connect.getConnections() * (info.multiplexed() ? 1 : connect.getInFlight());
  }

  void close() {
    if (background != null) {
      background.end();
    }
    if (within != null) {
      within.close();
    }
    conns.forEach(Conn::close);
  }
}
