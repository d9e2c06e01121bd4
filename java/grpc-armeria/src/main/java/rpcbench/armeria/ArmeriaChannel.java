package rpcbench.armeria;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.SessionProtocol;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc.BenchmarkServiceStub;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import rpcbench.grpc.Limits;
import rpcbench.grpc.OrderedCall;

/** The only connection of a ClientFactory to one endpoint. It is opened by the first call. */
final class ArmeriaChannel extends Channel {
  private final ClientFactory factory;
  private final Executor loop;
  private final SessionProtocol protocol;
  private final Endpoint endpoint;
  private final Map<Integer, Channel> channels = new ConcurrentHashMap<>(); // by the maximum bytes of a reply

  /**
   * Creates the channel with the factory's event loop. Listeners are called in tasks of that loop and not while Armeria handles a
   * response, because a call that starts while another one ends would hang then.
   */
  ArmeriaChannel(ClientFactory factory, Executor loop, SessionProtocol protocol, Endpoint endpoint) {
    this.factory = factory;
    this.loop = loop;
    this.protocol = protocol;
    this.endpoint = endpoint;
  }

  /** Uses a client for each limit of replies, because Armeria limits them per client and not per call. */
  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    Integer maxBytes = options.getMaxInboundMessageSize();
    Channel channel = channels.computeIfAbsent(maxBytes == null ? Limits.MESSAGE_BYTES_MAX : maxBytes, this::channel);
    CallOptions own = options.getExecutor() == null ? options.withExecutor(loop) : options; // a blocking stub brings its executor
    ClientCall<Q, A> call = channel.newCall(method, own);
    return method.getType() == MethodType.BIDI_STREAMING ? new OrderedCall<>(call, loop) : call; // slots share such streams
  }

  private Channel channel(int maxReplyBytes) {
    return GrpcClients.builder(protocol, endpoint)
        .factory(factory)
        .responseTimeoutMillis(0)
        .writeTimeoutMillis(0)
        .maxResponseLength(0)
        .maxResponseMessageLength(maxReplyBytes)
        .exceptionHandler(ArmeriaChannel::lost)
        .build(BenchmarkServiceStub.class)
        .getChannel();
  }

  /** Returns UNAVAILABLE for a lost connection, which Armeria calls UNKNOWN. Null leaves other failures to Armeria. */
  private static Status lost(RequestContext context, Status status, Throwable cause, Metadata metadata) {
    return cause instanceof ClosedSessionException
        ? Status.UNAVAILABLE.withDescription("the connection was lost").withCause(cause)
        : null;
  }

  @Override
  public String authority() {
    return endpoint.authority();
  }
}
