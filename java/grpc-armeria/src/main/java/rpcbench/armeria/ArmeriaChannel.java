package rpcbench.armeria;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.grpc.GrpcClientStubFactory;
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
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import rpcbench.grpc.Limits;

/** The one connection of a ClientFactory to one endpoint. It opens when a call needs it. */
final class ArmeriaChannel extends Channel {
  private final ClientFactory factory;
  private final Executor loop;
  private final SessionProtocol protocol;
  private final Endpoint endpoint;
  private final Map<Integer, Channel> channels = new ConcurrentHashMap<>(); // by the most bytes of a reply

  /**
   * Takes the factory's event loop. Listeners are called in tasks of that loop and not while Armeria handles a response:
   * a call that begins while another one ends would then hang.
   */
  ArmeriaChannel(ClientFactory factory, Executor loop, SessionProtocol protocol, Endpoint endpoint) {
    this.factory = factory;
    this.loop = loop;
    this.protocol = protocol;
    this.endpoint = endpoint;
  }

  /** Armeria bounds replies for a client, and not for a call. */
  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    Integer most = options.getMaxInboundMessageSize();
    Channel channel = channels.computeIfAbsent(most == null ? Limits.MESSAGE_BYTES_MAX : most, this::channel);
    CallOptions own = options.getExecutor() == null ? options.withExecutor(loop) : options; // a blocking stub has its own
    ClientCall<Q, A> call = channel.newCall(method, own);
    return method.getType() == MethodType.BIDI_STREAMING ? new OrderedCall<>(call, loop) : call; // slots share such streams
  }

  private Channel channel(int replyBytesMax) {
    return GrpcClients.builder(protocol, endpoint)
        .factory(factory)
        .responseTimeoutMillis(0)
        .writeTimeoutMillis(0)
        .maxResponseLength(0)
        .maxResponseMessageLength(replyBytesMax)
        .exceptionHandler(ArmeriaChannel::lost)
        .clientStubFactory(new Itself())
        .build(Channel.class);
  }

  /** Armeria calls it UNKNOWN where a connection is lost. Null leaves other failures to it. */
  private static Status lost(RequestContext context, Status status, Throwable cause, Metadata metadata) {
    return cause instanceof ClosedSessionException
        ? Status.UNAVAILABLE.withDescription("the connection was lost").withCause(cause)
        : null;
  }

  /** Returns the channel itself instead of a stub. */
  private static final class Itself implements GrpcClientStubFactory {
    @Override
    public ServiceDescriptor findServiceDescriptor(Class<?> client) {
      return BenchmarkServiceGrpc.getServiceDescriptor();
    }

    @Override
    public Object newClientStub(Class<?> client, Channel channel) {
      return channel;
    }
  }

  @Override
  public String authority() {
    return endpoint.authority();
  }
}
