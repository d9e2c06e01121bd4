package rpcbench.worker;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import rpcbench.load.Tally;
import rpcbench.record.Histograms;
import rpcbench.record.Summary;
import rpcbench.record.Times;
import rpcbench.stack.Call;
import rpcbench.stack.Code;
import rpcbench.stack.Ledger.Traffic;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.FirstCall;
import rpcbench.worker.v1.Worker.Histogram;
import rpcbench.worker.v1.Worker.Outcome;
import rpcbench.worker.v1.Worker.Tail;
import rpcbench.worker.v1.Worker.Window;

/** Makes the Done of a phase. */
final class Conclusion {
  private static final long CLOSING_NS = 500_000_000;
  private static final long LOOK_NS = 1_000_000;

  private Conclusion() {}

  static Event of(Client client, Begin c, Tally tally, Summary summary, List<Summary> mixed) throws FaultException {
    checkSockets(client, summary.outcomes());
    Done.Builder done =
        Done.newBuilder()
            .setPhase(c.getPhase())
            .setElapsedNs(tally.elapsedNs())
            .setWindowNs(tally.windowNs())
            .setArrivals(tally.arrivals())
            .setStoppedNs(tally.stoppedNs())
            .setClamped(summary.clamped());
    addOutcomes(done, summary);
    if (!mixed.isEmpty()) {
      addMixed(done, client, mixed, tally.late());
    } else if (client.call.ledger() == null) {
      addCarried(done, client.call, summary.outcomes(), tally.late());
    } else {
      addTraffic(done, client.takeCarried(0), tally.late());
    }
    FirstCall first = client.takeFirst();
    if (first != null) {
      done.setFirst(first);
    }
    if (client.background() != null) {
      done.setBackground(client.background().counted());
    }
    addHistograms(done, summary, client.within());
    return Event.newBuilder().setDone(done).build();
  }

  /**
   * Refuses a result that was had with more sockets than asked for. One that is just being closed is none. Where no call was OK
   * there is no result: a library that connects again and again to a server which ends its connections has old ones open, and the
   * calls say why.
   */
  private static void checkSockets(Client client, List<rpcbench.record.Outcome> outcomes) throws FaultException {
    if (outcomes.isEmpty() || outcomes.get(0).code() != Code.OK) {
      return;
    }
    long until = System.nanoTime() + CLOSING_NS;
    while (client.wire.socketsOpen() > client.sockets() && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(LOOK_NS);
    }
    long open = client.wire.socketsOpen();
    if (open > client.sockets()) {
      throw new FaultException(
          "connect.connections",
          client.info.name() + " has " + open + " open sockets, expected " + client.sockets() + firstFailure(outcomes));
    }
  }

  /** Returns what the first failed call said, in a clause; empty if all were OK. */
  private static String firstFailure(List<rpcbench.record.Outcome> outcomes) {
    return outcomes.size() < 2 ? "" : "; the first call that failed said: " + outcomes.get(1).example();
  }

  private static void addOutcomes(Done.Builder done, Summary summary) {
    for (rpcbench.record.Outcome outcome : summary.outcomes()) {
      addOutcome(done, outcome.code().name(), outcome.calls(), outcome.example());
    }
    addOutcome(done, "UNSENT", summary.unsent(), "");
    addOutcome(done, "UNFINISHED", summary.unfinished(), "");
  }

  private static void addOutcome(Done.Builder done, String code, long calls, String example) {
    if (calls > 0) {
      done.addOutcomes(Outcome.newBuilder().setCode(code).setCalls(calls).setExample(example));
    }
  }

  /** Counts what the OK calls carried, and the part of late calls that came after the window. */
  private static void addCarried(Done.Builder done, Call call, List<rpcbench.record.Outcome> outcomes, long late) {
    if (outcomes.isEmpty() || outcomes.get(0).code() != Code.OK) {
      return;
    }
    long ok = outcomes.get(0).calls();
    done.setMessagesOut(ok * call.messagesOut())
        .setMessagesIn(ok * call.messagesIn())
        .setPayloadBytesOut(ok * bytesOut(call))
        .setPayloadBytesIn(ok * bytesIn(call));
    if (late > 0) {
      done.setTail(
          Tail.newBuilder()
              .setOk(late)
              .setMessagesOut(late * call.messagesOut())
              .setMessagesIn(late * call.messagesIn())
              .setPayloadBytesOut(late * bytesOut(call))
              .setPayloadBytesIn(late * bytesIn(call)));
    }
  }

  /** Counts what calls of a foreign service carried, whose messages differ. */
  private static void addTraffic(Done.Builder done, Client.Carried carried, long late) {
    Traffic all = carried.all();
    done.setMessagesOut(all.messagesOut())
        .setMessagesIn(all.messagesIn())
        .setPayloadBytesOut(all.bytesOut())
        .setPayloadBytesIn(all.bytesIn())
        .setUnpairedReplies(all.unpaired());
    if (late > 0) {
      Traffic tail = carried.tail();
      done.setTail(
          Tail.newBuilder()
              .setOk(late)
              .setMessagesOut(tail.messagesOut())
              .setMessagesIn(tail.messagesIn())
              .setPayloadBytesOut(tail.bytesOut())
              .setPayloadBytesIn(tail.bytesIn()));
    }
  }

  /** Counts the calls of each recipe of a mix, and what all of them carried. */
  private static void addMixed(Done.Builder done, Client client, List<Summary> mixed, long late) {
    Client.Carried sum = new Client.Carried(Traffic.NONE, Traffic.NONE);
    for (int which = 0; which < mixed.size(); which++) {
      Summary summary = mixed.get(which);
      Done.Builder one = Done.newBuilder().setPhase(done.getPhase()).setClamped(summary.clamped());
      addOutcomes(one, summary);
      one.setArrivals(one.getOutcomesList().stream().mapToLong(Outcome::getCalls).sum());
      Client.Carried carried = client.takeCarried(which);
      addTraffic(one, carried, carried.tail().messagesIn()); // a good call has one reply
      addHistograms(one, summary, null);
      done.addMixed(one);
      sum = new Client.Carried(sum.all().plus(carried.all()), sum.tail().plus(carried.tail()));
    }
    addTraffic(done, sum, late);
  }

  private static long bytesOut(Call call) {
    return (long) call.messagesOut() * call.payloads() * call.request().length;
  }

  private static long bytesIn(Call call) {
    return (long) call.messagesIn() * call.payloads() * call.responseBytes();
  }

  /** Writes the histograms in the order of their names, and the windows if there are several. */
  private static void addHistograms(Done.Builder done, Summary summary, MessagesWithin within) {
    SortedMap<String, org.HdrHistogram.Histogram> named = new TreeMap<>(summary.histograms());
    if (within != null) {
      Times.Taken taken = within.take();
      named.putAll(taken.histograms());
      done.setClamped(done.getClamped() + taken.clamped());
    }
    named.forEach(
            (name, histogram) ->
                done.addHistograms(Histogram.newBuilder().setName(name).setV2Compressed(encoded(histogram))));
    if (summary.windows().size() < 2) {
      return; // it would repeat the response
    }
    for (rpcbench.record.Window window : summary.windows()) {
      done.addWindows(
          Window.newBuilder()
              .setStartNs(window.startNs())
              .setEndNs(window.endNs())
              .setResponse(encoded(window.response())));
    }
  }

  private static ByteString encoded(org.HdrHistogram.Histogram histogram) {
    return ByteString.copyFrom(Histograms.encode(histogram));
  }
}
