package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.FirstCall;

class FirstCallerTest {
  /** A call that opens its connection, with or without a handshake, and ends at once. */
  private record Connecting(Wire wire, boolean handshake) implements Caller {
    @Override
    public void start(Done done) {
      wire.opened();
      if (handshake) {
        wire.secured();
      }
      done.done(null);
    }

    @Override
    public void cancel() {}

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }
  }

  /** Writes down what it is told. */
  private record Told(List<String> of) implements Caller {
    @Override
    public void start(Done done) {
      of.add("start");
      done.sent();
      done.done(null);
    }

    @Override
    public void cancel() {
      of.add("cancel");
    }

    @Override
    public void late() {
      of.add("late");
    }

    @Override
    public CallException after() {
      of.add("after");
      return null;
    }
  }

  private static FirstCaller called(Wire wire, boolean handshake) {
    long dialled = System.nanoTime() - 1; // before the socket is opened, however coarse the clock
    FirstCaller first =
        new FirstCaller(
            new Connecting(wire, handshake), new FirstCaller.Dialled(dialled, dialled, dialled), wire);
    first.start(failure -> { });
    return first;
  }

  /** Of the first call and of those after it. */
  @Test
  void allThatItIsToldIsPassedOn() {
    List<String> told = new ArrayList<>();
    FirstCaller caller = new FirstCaller(new Told(told), new FirstCaller.Dialled(1, 1, 1), new Wire());
    for (int i = 0; i < 2; i++) {
      caller.start(failure -> { });
      caller.cancel();
      caller.late();
      caller.after();
    }
    List<String> call = List.of("start", "cancel", "late", "after");
    assertEquals(Stream.of(call, call).flatMap(List::stream).toList(), told);
  }

  @Test
  void theHandshakeIsAPartOfTheCallThatConnects() {
    Wire wire = new Wire();
    FirstCall first = called(wire, true).take();
    assertTrue(first.getInCall());
    assertEquals(wire.firstSecuredNs() - wire.firstOpenedNs(), first.getTlsNs());
  }

  /** Another thread reports it, which may be too late: then it is part of the call. */
  @Test
  void aHandshakeThatIsToldOfAfterTheCallIsNoPart() {
    Wire wire = new Wire();
    FirstCaller caller = called(wire, false);
    wire.secured();
    FirstCall first = caller.take();
    assertEquals(0, first.getTlsNs());
    assertTrue(first.getCallNs() >= 0, "the call took " + first.getCallNs());
  }
}
