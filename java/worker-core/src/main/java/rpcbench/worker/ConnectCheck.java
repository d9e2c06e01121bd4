package rpcbench.worker;

import static rpcbench.worker.Check.refuse;

import rpcbench.stack.Bounds;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Background;
import rpcbench.worker.v1.Worker.Call;
import rpcbench.worker.v1.Worker.Connect;

/** Names the first field of a Connect that this worker can't honour. */
final class ConnectCheck {
  private ConnectCheck() {}

  static void check(Info info, Connect c) throws FaultException {
    Call call = c.getCall();
    Check.can("connect", info, info.calls());
    Check.word("connect.network", info, c.getNetwork(), info.networks());
    Check.word("connect.security.mode", info, c.getSecurity().getMode(), info.securities());
    if (!info.methods()) { // its servers are ours
      refuse(c.getSecurity().getSystemRoots(), "connect.security.system_roots", "it trusts only the certificates in ca_pem");
      refuse(c.getSecurity().getSkipVerify(), "connect.security.skip_verify", "it trusts only the certificates in ca_pem");
    }
    Check.options("connect", info, c.getOptionsMap(), Info.Option::client);
    if (call.getKind().isEmpty() || !info.kinds().contains(call.getKind())) {
      throw new FaultException("connect.call.kind", info.name() + " has no \"" + call.getKind() + "\"");
    }
    IdleStreams.check(info, c);
    RecipeCheck.rate(call);
    Check.word("connect.call.compression", info, call.getCompression(), info.compressions());
    refuse(call.getDeadlineNs() < Limits.DEADLINE_MIN_NS, "connect.call.deadline_ns", "it must be at least 1 ms");
    if (Kind.codes(call.getKind())) {
      refuse(call.hasRecipe(), "connect.call.recipe", call.getKind() + " does not call a method");
      refuse(call.hasMix(), "connect.call.mix", call.getKind() + " does not call a method");
      codec(info, c);
      return;
    }
    if (RecipeCheck.isForeign(call)) {
      RecipeCheck.check(info, c);
      noCodec(call);
      shape(c);
      counts(c);
      return;
    }
    Check.payload("connect.call.payload", call.getPayload());
    noCodec(call);
    shape(c);
    bytes("connect.call", call.getKind(), call.getRequestBytes(), call.getResponseBytes());
    batch(call);
    background(info, c);
    counts(c);
    DrawnCalls.check(info, call);
  }

  private static void shape(Connect c) throws FaultException {
    if (c.getAddressesCount() == 0) {
      throw new FaultException("connect.addresses", "there is none");
    }
    long connections = Integer.toUnsignedLong(c.getConnections());
    long inFlight = Integer.toUnsignedLong(c.getInFlight());
    if (connections == 0 || connections > Limits.SLOTS_MAX) {
      throw new FaultException("connect.connections", connections + " is not 1 to " + Limits.SLOTS_MAX);
    }
    long slots = connections * inFlight;
    if (slots == 0 || slots > Limits.SLOTS_MAX) {
      throw new FaultException(
          "connect.in_flight", "connections x in_flight is " + slots + ", not 1 to " + Limits.SLOTS_MAX);
    }
  }

  /** connect and first_call carry no payload. */
  private static void bytes(String field, String kind, int request, int response) throws FaultException {
    bytes(field + ".request_bytes", kind, request);
    bytes(field + ".response_bytes", kind, response);
  }

  private static void bytes(String field, String kind, int bytes) throws FaultException {
    if (Integer.toUnsignedLong(bytes) > Bounds.MESSAGE_BYTES_MAX) {
      throw new FaultException(field, "a message has " + Bounds.MESSAGE_BYTES_MAX + " bytes at most");
    }
    if (bytes > 0 && Kind.opens(kind)) {
      throw new FaultException(field, kind + " carries no payload");
    }
  }

  /** The sizes have already been checked. */
  private static void batch(Call call) throws FaultException {
    long bytes = Math.max(call.getRequestBytes(), call.getResponseBytes());
    long batch = Integer.toUnsignedLong(call.getBatch());
    refuse(Bounds.batchRefusal(call.getKind(), batch, bytes), "connect.call.batch");
    if (call.getKind().equals(Kind.BURST)) {
      long messages = Integer.toUnsignedLong(call.getMessages());
      refuse(Bounds.burstRefusal(messages, Bounds.messageBytes(batch, bytes)), "connect.call.messages");
    }
  }

  private static void counts(Connect c) throws FaultException {
    String kind = c.getCall().getKind();
    if (!RecipeCheck.isForeign(c.getCall()) || c.getCall().getMessages() != 0) { // 0 are as many as the request has, or the server sends
      messages("connect.call.messages", kind, c.getCall().getMessages());
    }
    long streams = Integer.toUnsignedLong(c.getStreams());
    boolean shared = Kind.sharesStreams(kind);
    if (shared && (streams == 0 || streams > c.getInFlight())) {
      throw new FaultException("connect.streams", streams + " is not between 1 and in_flight, " + c.getInFlight());
    }
    if (!shared && streams != 0) {
      throw new FaultException("connect.streams", kind + " has no streams to share");
    }
    perStream(c);
  }

  /** A number of messages is negative here if it is too large for an int. */
  private static void perStream(Connect c) throws FaultException {
    String field = "connect.call.messages_per_stream";
    int calls = c.getCall().getMessagesPerStream();
    refuse(calls < 0, field, Integer.toUnsignedLong(calls) + " is more than " + Integer.MAX_VALUE);
    refuse(calls > 0 && !c.getCall().getKind().equals(Kind.PING_PONG), field, "only streams of ping_pong end so");
    refuse(calls > 0 && c.getStreams() != c.getInFlight(), field, "calls that share a stream can't end it");
  }

  /** A number of messages is negative here if it is too large for an int. */
  private static void messages(String field, String kind, int messages) throws FaultException {
    if (Kind.hasMessages(kind) ? messages <= 0 : messages != 0) {
      throw new FaultException(field, kind + " can't have " + Integer.toUnsignedLong(messages));
    }
  }

  private static void background(Info info, Connect c) throws FaultException {
    if (!c.hasBackground()) {
      return;
    }
    Background b = c.getBackground();
    if (!info.multiplexed()) {
      throw new FaultException("connect.background", info.name() + " makes one call at a time on a connection");
    }
    if (!Kind.canBeBackground(b.getKind()) || !info.kinds().contains(b.getKind())) {
      throw new FaultException(
          "connect.background.kind", info.name() + " does not support \"" + b.getKind() + "\" in the background");
    }
    messages("connect.background.messages", b.getKind(), b.getMessages());
    if (Kind.opens(c.getCall().getKind())) {
      throw new FaultException(
          "connect.background", c.getCall().getKind() + " has no connection that could be shared");
    }
    bytes("connect.background", b.getKind(), b.getRequestBytes(), b.getResponseBytes());
  }

  private static void noCodec(Call call) throws FaultException {
    refuse(!call.getMessage().isEmpty(), "connect.call.message", call.getKind() + " has none");
    refuse(!call.getCodec().isEmpty(), "connect.call.codec", call.getKind() + " has none");
    refuse(call.getSampleNs() != 0, "connect.call.sample_ns", call.getKind() + " has none");
  }

  /** encode and decode have a message, and nothing of a connection. */
  private static void codec(Info info, Connect c) throws FaultException {
    Call call = c.getCall();
    String only = call.getKind() + " has no server";
    refuse(c.getAddressesCount() > 0, "connect.addresses", only);
    refuse(c.getConnections() != 1, "connect.connections", only + ", and one connection in name");
    refuse(c.getInFlight() != 1, "connect.in_flight", only + ", and one call at a time");
    refuse(c.getStreams() != 0, "connect.streams", only);
    refuse(c.hasBackground(), "connect.background", only);
    refuse(!call.getPayload().isEmpty(), "connect.call.payload", "the message is the payload");
    refuse(call.getRequestBytes() != 0, "connect.call.request_bytes", "the message has its own size");
    refuse(call.getResponseBytes() != 0, "connect.call.response_bytes", "the message has its own size");
    refuse(call.getMessages() != 0, "connect.call.messages", "the number of operations is calibrated");
    refuse(call.getBatch() != 0, "connect.call.batch", "the number of operations is calibrated");
    refuse(call.getMessagesPerStream() != 0, "connect.call.messages_per_stream", only);
    refuse(call.getLengthsOnly(), "connect.call.lengths_only", only);
    refuse(call.hasSizes(), "connect.call.sizes", "the message has its own size");
    refuse(call.hasAccesses(), "connect.call.accesses", only);
    refuse(
        call.getSampleNs() < Limits.SAMPLE_MIN_NS || call.getSampleNs() > Limits.SAMPLE_MAX_NS,
        "connect.call.sample_ns",
        call.getSampleNs() + " is not " + Limits.SAMPLE_MIN_NS + " to " + Limits.SAMPLE_MAX_NS);
    refuse(
        call.getDeadlineNs() < call.getSampleNs(),
        "connect.call.deadline_ns",
        call.getDeadlineNs() + " is shorter than sample_ns, " + call.getSampleNs());
    refuse(!info.messages().contains(call.getMessage()), "connect.call.message", "there is no " + call.getMessage());
    refuse(!info.codecs().contains(call.getCodec()), "connect.call.codec", "there is no " + call.getCodec());
  }
}
