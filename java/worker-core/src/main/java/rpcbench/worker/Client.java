package rpcbench.worker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import rpcbench.host.Host;
import rpcbench.load.Mix;
import rpcbench.load.ParkWaiter;
import rpcbench.load.SlotPool;
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
import rpcbench.stack.Weights;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.Codec;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Connected;
import rpcbench.worker.v1.Worker.FirstCall;
import rpcbench.worker.v1.Worker.MixedRecipe;
import rpcbench.worker.v1.Worker.Recipe;

/** Holds the connections and slots of a Connect. */
final class Client {
  final Info info;
  private final Connect connect;
  final Wire wire;
  final Call call; // of a mix the first
  private final List<Call> mixed; // the calls of a mix; none without one
  private final MessagesWithin within; // the calls of a recipe's method; null without one
  private final Conns conns;
  private final ParkWaiter waiter = new ParkWaiter(Host::threadCpuNs, Host::lowerTimerSlack);
  private SlotPool pool;
  private List<FirstCaller> first = List.of(); // of the first slot's callers; none for calls that open connections or have none
  private Background background; // null without one
  private Codec codec; // of encode and decode
  private final List<Carried> carried = new ArrayList<>(); // of the phases before, by the ledger of each call

  private Client(Info info, Connect connect, Wire wire) throws FaultException {
    this.info = info;
    this.connect = connect;
    this.wire = wire;
    this.conns = new Conns(connect.getConnections());
    boolean foreign = RecipeCheck.isForeign(connect.getCall());
    this.within = foreign ? new MessagesWithin(connect.getCall().getMessageRatePerSec()) : null;
    try {
      this.mixed = mixed(connect, within);
      this.call = !mixed.isEmpty() ? mixed.get(0) : foreign ? method(connect, connect.getCall().getRecipe(), within)
          : Calls.measured(connect.getCall(), connect.getStreams());
    } catch (FaultException | RuntimeException e) {
      if (within != null) {
        within.close(); // it has a thread
      }
      throw e;
    }
    for (int i = 0; i < Math.max(1, mixed.size()); i++) {
      carried.add(new Carried(Traffic.NONE, Traffic.NONE));
    }
  }

  private static Call method(Connect c, Recipe recipe, MessagesWithin within) throws FaultException {
    return Calls.method(c.getCall(), c.getStreams(), Recipes.method(c, recipe, within));
  }

  private static List<Call> mixed(Connect c, MessagesWithin within) throws FaultException {
    List<Call> calls = new ArrayList<>();
    for (MixedRecipe one : c.getCall().getMix().getRecipesList()) {
      calls.add(method(c, one.getRecipe(), within));
    }
    return calls;
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
    List<List<Caller>> callers = Kind.opens(call.kind()) ? List.of(openers(dialer)) : callers(dialer);
    long deadlineNs = connect.getCall().getDeadlineNs();
    IdleStreams.open(conns.ready(), connect);
    if (connect.hasBackground()) {
      background = new Background(besides(), deadlineNs);
    }
    pool = mixed.isEmpty()
        ? new SlotPool(callers.get(0), System::nanoTime, waiter, deadlineNs)
        : new SlotPool(mix(callers), System::nanoTime, waiter, deadlineNs);
  }

  /** Deals the callers of each call to the slots. */
  private Mix mix(List<List<Caller>> callers) {
    List<List<Caller>> slots = new ArrayList<>();
    for (int slot = 0; slot < callers.get(0).size(); slot++) {
      int at = slot;
      slots.add(callers.stream().map(each -> each.get(at)).collect(Collectors.toList()));
    }
    Weights weights = Weights.of(connect.getCall().getMix().getSeed(), RecipeCheck.weights(connect.getCall().getMix()));
    return new Mix(slots, weights::draw);
  }

  private List<Caller> openers(Dialer dialer) {
    List<Caller> callers = new ArrayList<>();
    for (int slot = 0; slot < connect.getConnections() * connect.getInFlight(); slot++) {
      int i = slot;
      callers.add(Opener.of(call, () -> dialer.dial(i)));
    }
    return callers;
  }

  /** Creates the callers of each call slot by slot over all connections, so that a few calls in flight use all of them. */
  private List<List<Caller>> callers(Dialer dialer) throws CallException {
    FirstCaller.Dialled dialled = openAll(dialer);
    List<List<Caller>> all = new ArrayList<>();
    for (Call one : mixed.isEmpty() ? List.of(call) : mixed) {
      all.add(callers(one));
    }
    if (all.get(0).get(0) instanceof Calibrated calibrated) {
      codec = codec(calibrated);
      return all;
    }
    first = all.stream().map(callers -> new FirstCaller(callers.get(0), dialled, wire)).collect(Collectors.toList());
    for (int i = 0; i < all.size(); i++) {
      all.get(i).set(0, first.get(i));
    }
    return all;
  }

  /** Opens the connections: the first one alone, whose parts are timed, and the others in parallel. */
  private FirstCaller.Dialled openAll(Dialer dialer) throws CallException {
    FirstCaller.Dialled dialled = dialer.patiently(0, List.<Callable<FirstCaller.Dialled>>of(() -> dialFirst(dialer))).get(0);
    List<Callable<Void>> others = new ArrayList<>();
    for (int i = 1; i < connect.getConnections(); i++) {
      int next = i;
      others.add(() -> {
        conns.put(next, dialer.ready(next));
        return null;
      });
    }
    dialer.patiently(1, others);
    return dialled;
  }

  private List<Caller> callers(Call one) throws CallException {
    List<Conn> ready = conns.ready();
    List<Caller> callers = new ArrayList<>();
    for (int slot = 0; slot < connect.getInFlight(); slot++) {
      for (int i = 0; i < ready.size(); i++) {
        callers.add(ready.get(i).caller(one.on(i, ready.size()), slot));
      }
    }
    return callers;
  }

  private FirstCaller.Dialled dialFirst(Dialer dialer) throws CallException {
    long begun = System.nanoTime();
    boolean named = connect.getNetwork().equals("tcp") && dialer.looksUp(0);
    long resolved = named ? System.nanoTime() : begun;
    conns.put(0, dialer.ready(0));
    return new FirstCaller.Dialled(begun, resolved, System.nanoTime());
  }

  private List<Caller> besides() throws FaultException {
    Call beside = Calls.background(connect.getBackground(), connect.getCall());
    List<Caller> callers = new ArrayList<>();
    try {
      for (Conn conn : conns.ready()) {
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

  SlotPool pool() {
    return pool;
  }

  /** Returns the first call, once; null before it was made, and for connect, first_call, encode and decode. */
  FirstCall takeFirst() {
    FirstCall taken = first.stream().min(Comparator.comparingLong(FirstCaller::begun)).map(FirstCaller::take).orElse(null);
    if (taken != null) {
      first = List.of();
    }
    return taken;
  }

  /** Returns how many calls a mix has; 0 without one. */
  int mixedCalls() {
    return mixed.size();
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

  /**
   * Returns what this phase's good calls of a foreign service carried: in total, and after the window.
   *
   * @param which of the calls of a mix; otherwise 0
   */
  Carried takeCarried(int which) {
    Ledger ledger = (mixed.isEmpty() ? call : mixed.get(which)).ledger();
    Carried before = carried.get(which);
    Carried now = new Carried(ledger.traffic(), ledger.lateTraffic());
    carried.set(which, now);
    return new Carried(now.all.minus(before.all), now.tail.minus(before.tail));
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
    conns.close();
  }
}
