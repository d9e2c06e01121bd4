package rpcbench.grpcjava;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import rpcbench.stack.Bounds;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.ServeConfig;

/** Refuses, with INVALID_ARGUMENT, what a stack can't do. */
final class Checks {
  private Checks() {}

  static void serve(Info info, ServeConfig config) throws CallException {
    word(info, "network", config.network(), info.networks());
    options(info, config.options(), "server", Info.Option::server);
  }

  static void dial(Info info, DialConfig config) throws CallException {
    word(info, "network", config.network(), info.networks());
    word(info, "compression", config.compression(), info.compressions());
    atLeast("in_flight", config.inFlight(), 1);
    options(info, config.options(), "client", Info.Option::client);
  }

  /** Refuses connect and first_call, too: they are made of dial and of a unary Caller. */
  static void call(Info info, Call call, int slot, int inFlight) throws CallException {
    String kind = call.kind();
    word(info, "kind", kind, info.kinds());
    if (kind.equals(Kind.CONNECT) || kind.equals(Kind.FIRST_CALL)) {
      throw Failure.invalid(kind + " is made of dial and has no Caller");
    }
    between("slot", slot, 0, inFlight - 1);
    between("the request's length", call.request().length, 0, Bounds.MESSAGE_BYTES_MAX);
    between("response_bytes", call.responseBytes(), 0, Bounds.MESSAGE_BYTES_MAX);
    none(Bounds.batchRefusal(kind, call.batch(), Math.max(call.request().length, call.responseBytes())));
    switch (kind) {
      case Kind.PING_PONG -> between("streams", call.streams(), 1, inFlight);
      case Kind.BURST -> {
        between("streams", call.streams(), 1, inFlight);
        none(Bounds.burstRefusal(call.messages(), call.largestBytes()));
      }
      case Kind.STREAM, Kind.UPLOAD, Kind.DOWNLOAD -> atLeast("messages", call.messages(), 1);
      default -> { }
    }
  }

  private static void none(String refusal) throws CallException {
    if (refusal != null) {
      throw Failure.invalid(refusal);
    }
  }

  private static void word(Info info, String what, String word, List<String> known) throws CallException {
    if (!known.contains(word)) {
      String offer = String.join(", ", known);
      throw Failure.invalid(info.name() + " has no " + what + " \"" + word + "\"; it has " + offer);
    }
  }

  private static void options(Info info, Map<String, String> given, String side, Predicate<Info.Option> has)
      throws CallException {
    List<String> known = info.options().stream().filter(has).map(Info.Option::name).toList();
    for (String name : new TreeSet<>(given.keySet())) {
      word(info, side + " option", name, known);
    }
  }

  private static void between(String what, int value, int least, int most) throws CallException {
    if (value < least || value > most) {
      throw Failure.invalid(what + " is " + value + ", and must be " + least + " to " + most);
    }
  }

  private static void atLeast(String what, int value, int least) throws CallException {
    if (value < least) {
      throw Failure.invalid(what + " is " + value + ", and must be at least " + least);
    }
  }
}
