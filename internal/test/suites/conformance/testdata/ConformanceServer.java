import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import rpcbench.credential.Pem;
import rpcbench.grpcjava.NettyStack;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Tls;
import rpcbench.stack.Wire;

/**
 * Starts servers of the suite's service as grpc-java-netty sets servers up, so that the suite's runner need not wait for a
 * JVM. It prints where it listens for who wants one, and ends with its input.
 *
 * <p>Who wants a server sends four lines, each in base64: the schema as a FileDescriptorSet, the server's certificate and key,
 * and whom to trust; all but the first may be empty. The answer is a line with the server's address. The server ends with the
 * connection.
 */
final class ConformanceServer {
  private static final String SERVICE = "connectrpc.conformance.v1.ConformanceService";

  private ConformanceServer() {}

  public static void main(String[] arguments) throws Exception {
    ServerSocket asked = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    System.out.println(asked.getLocalPort());
    new Thread(() -> accept(asked)).start();
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static void accept(ServerSocket asked) {
    while (true) {
      try {
        Socket asker = asked.accept();
        new Thread(() -> serve(asker)).start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void serve(Socket asker) {
    try (asker) {
      BufferedReader in = new BufferedReader(new InputStreamReader(asker.getInputStream()));
      Server server = start(in);
      asker.getOutputStream().write((server.address() + "\n").getBytes());
      while (in.read() >= 0) {}
      server.stop(0);
    } catch (Exception e) {
      e.printStackTrace(); // the asker gets no address
    }
  }

  private static Server start(BufferedReader in) throws Exception {
    Map<String, FileDescriptor> files = filesOf(decoded(in.readLine()));
    Tls tls = tlsOf(decoded(in.readLine()), decoded(in.readLine()), decoded(in.readLine()));
    FileDescriptor file = files.get("connectrpc/conformance/v1/service.proto");
    ServeConfig config =
        new ServeConfig("tcp", "127.0.0.1:0", tls, null, size -> new byte[size], new Wire(), Map.of());
    return new NettyStack().serveOther(config, List.of(serviceOf(file)));
  }

  private static byte[] decoded(String line) {
    return Base64.getDecoder().decode(line);
  }

  private static Tls tlsOf(byte[] certificate, byte[] key, byte[] authority) throws Exception {
    if (certificate.length == 0) {
      return null;
    }
    var own = Pem.certificate(certificate);
    boolean mutual = authority.length > 0;
    return new Tls(mutual ? Pem.certificate(authority) : null, own, Pem.key(key, own), null, mutual);
  }

  /** Links files, each of which comes after those that it imports. */
  private static Map<String, FileDescriptor> filesOf(byte[] set) throws Exception {
    Map<String, FileDescriptor> files = new HashMap<>();
    for (FileDescriptorProto file : FileDescriptorSet.parseFrom(set).getFileList()) {
      FileDescriptor[] imports = file.getDependencyList().stream().map(files::get).toArray(FileDescriptor[]::new);
      files.put(file.getName(), FileDescriptor.buildFrom(file, imports));
    }
    return files;
  }

  private static ServerServiceDefinition serviceOf(FileDescriptor file) {
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(SERVICE);
    for (MethodDescriptor method : file.findServiceByName("ConformanceService").getMethods()) {
      if (!method.getName().equals("Unimplemented")) { // the library says so
        service.addMethod(grpcMethod(method), handler(method));
      }
    }
    return ServerInterceptors.intercept(service.build(), new Exchange.Opener());
  }

  private static io.grpc.MethodDescriptor<DynamicMessage, DynamicMessage> grpcMethod(MethodDescriptor method) {
    return io.grpc.MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
        .setType(typeOf(method))
        .setFullMethodName(SERVICE + "/" + method.getName())
        .setRequestMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getInputType())))
        .setResponseMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
        .build();
  }

  private static MethodType typeOf(MethodDescriptor method) {
    if (method.isClientStreaming()) {
      return method.isServerStreaming() ? MethodType.BIDI_STREAMING : MethodType.CLIENT_STREAMING;
    }
    return method.isServerStreaming() ? MethodType.SERVER_STREAMING : MethodType.UNARY;
  }

  private static ServerCallHandler<DynamicMessage, DynamicMessage> handler(MethodDescriptor method) {
    switch (typeOf(method)) {
      case UNARY:
        return ServerCalls.asyncUnaryCall((request, replies) -> answerOne(method, request, replies));
      case SERVER_STREAMING:
        return ServerCalls.asyncServerStreamingCall((request, replies) -> answerOne(method, request, replies));
      case CLIENT_STREAMING:
        return ServerCalls.asyncClientStreamingCall(replies -> new Answering(method, replies));
      default:
        return ServerCalls.asyncBidiStreamingCall(replies -> new Answering(method, replies));
    }
  }

  private static void answerOne(
      MethodDescriptor method, DynamicMessage request, StreamObserver<DynamicMessage> replies) {
    Answering answering = new Answering(method, replies);
    answering.onNext(request);
    answering.onCompleted();
  }
}

/** The metadata of a call, each way. */
final class Exchange {
  static final Context.Key<Exchange> CURRENT = Context.key("exchange");

  final Metadata request;
  final Metadata headers = new Metadata();
  final Metadata trailers = new Metadata();
  private ServerCall<?, ?> call;

  private Exchange(Metadata request) {
    this.request = request;
  }

  /** Sends the headers before there is a reply. */
  void sendHeaders() {
    call.sendHeaders(new Metadata());
  }

  /** Opens an exchange for each call, whose headers and trailers then have what was asked for. */
  static final class Opener implements ServerInterceptor {
    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
      Exchange exchange = new Exchange(headers);
      Answer<A, B> answer = new Answer<>(call, exchange);
      exchange.call = answer;
      return Contexts.interceptCall(Context.current().withValue(CURRENT, exchange), answer, headers, next);
    }
  }

  private static final class Answer<A, B> extends ForwardingServerCall.SimpleForwardingServerCall<A, B> {
    private final Exchange exchange;
    private boolean begun;

    Answer(ServerCall<A, B> call, Exchange exchange) {
      super(call);
      this.exchange = exchange;
    }

    @Override
    public void sendHeaders(Metadata headers) {
      if (!begun) {
        begun = true;
        headers.merge(exchange.headers);
        super.sendHeaders(headers);
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (!exchange.headers.keys().isEmpty()) {
        sendHeaders(new Metadata()); // an error alone would have none
      }
      trailers.merge(exchange.trailers);
      super.close(status, trailers);
    }
  }
}

/** A call that is being answered as its first request asks. */
final class Answering implements StreamObserver<DynamicMessage> {
  private final MethodDescriptor method;
  private final StreamObserver<DynamicMessage> replies;
  private final Exchange exchange = Exchange.CURRENT.get();
  private final Deadline deadline = Context.current().getDeadline();
  private final List<Message> requests = new ArrayList<>(); // since the last answer
  private List<ByteString> data; // of the answers; null before the first request
  private Message error; // null without one
  private int delayMs;
  private boolean fullDuplex;
  private boolean over;
  private int sent;

  Answering(MethodDescriptor method, StreamObserver<DynamicMessage> replies) {
    this.method = method;
    this.replies = replies;
  }

  @Override
  public void onNext(DynamicMessage request) {
    if (over) {
      return;
    }
    requests.add(request);
    if (data == null) {
      begin(request);
    }
    if (fullDuplex && sent < data.size()) {
      send();
    } else if (fullDuplex) {
      end();
    }
  }

  @Override
  public void onError(Throwable gone) {
    over = true;
  }

  @Override
  public void onCompleted() {
    if (over) {
      return;
    }
    if (data == null) {
      begin(DynamicMessage.getDefaultInstance(method.getInputType()));
    }
    while (sent < data.size()) {
      send();
    }
    end();
  }

  /** Reads what is to be answered. */
  @SuppressWarnings("unchecked")
  private void begin(Message first) {
    FieldDescriptor duplex = first.getDescriptorForType().findFieldByName("full_duplex");
    fullDuplex = duplex != null && (boolean) first.getField(duplex);
    Message asked = (Message) get(first, "response_definition");
    error = has(asked, "error") ? (Message) get(asked, "error") : null;
    delayMs = (int) get(asked, "response_delay_ms");
    if (method.isServerStreaming()) {
      data = (List<ByteString>) get(asked, "response_data");
    } else {
      data = error == null ? List.of((ByteString) get(asked, "response_data")) : List.of();
    }
    addAll(exchange.headers, get(asked, "response_headers"));
    addAll(exchange.trailers, get(asked, "response_trailers"));
    if (fullDuplex || method.isServerStreaming() && !method.isClientStreaming()) {
      exchange.sendHeaders();
    }
  }

  /** Sends the next answer: the first, and each of a full-duplex stream, with what was asked. */
  private void send() {
    DynamicMessage.Builder response = DynamicMessage.newBuilder(method.getOutputType());
    Message.Builder payload = response.newBuilderForField(field(response, "payload"));
    payload.setField(field(payload, "data"), data.get(sent));
    if (sent == 0 || fullDuplex && !requests.isEmpty()) {
      payload.setField(field(payload, "request_info"), info(payload, sent == 0));
    }
    sent++;
    requests.clear();
    await();
    response.setField(field(response, "payload"), payload.build());
    replies.onNext(response.build());
  }

  private void await() {
    try {
      Thread.sleep(delayMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was asked since the last answer, with headers and timeout if they are wanted. */
  private Message info(Message.Builder payload, boolean whole) {
    Message.Builder info = payload.newBuilderForField(field(payload, "request_info"));
    for (Message request : requests) {
      add(info, "requests", Any.pack(request).toByteString());
    }
    if (whole) {
      addHeaders(info);
      if (deadline != null) {
        info.setField(field(info, "timeout_ms"), Math.max(0, deadline.timeRemaining(TimeUnit.MILLISECONDS)));
      }
    }
    return info.build();
  }

  private void addHeaders(Message.Builder info) {
    for (String name : exchange.request.keys()) {
      Message.Builder header = info.newBuilderForField(field(info, "request_headers"));
      header.setField(field(header, "name"), name);
      for (String value : values(exchange.request, name)) {
        header.addRepeatedField(field(header, "value"), value);
      }
      info.addRepeatedField(field(info, "request_headers"), header.build());
    }
  }

  private void end() {
    over = true;
    if (error == null) {
      replies.onCompleted();
      return;
    }
    EnumValueDescriptor code = (EnumValueDescriptor) get(error, "code");
    com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder();
    status.setCode(code.getNumber()).setMessage((String) get(error, "message"));
    try {
      for (Object detail : (List<?>) get(error, "details")) {
        status.addDetails(Any.parseFrom(((Message) detail).toByteString()));
      }
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new IllegalStateException(e); // it was read before
    }
    if (sent == 0) {
      await();
      DynamicMessage.Builder response = DynamicMessage.newBuilder(method.getOutputType());
      Message.Builder payload = response.newBuilderForField(field(response, "payload"));
      status.addDetails(Any.pack(info(payload, true)));
    }
    replies.onError(StatusProto.toStatusRuntimeException(status.build()));
  }

  private static FieldDescriptor field(Message.Builder of, String name) {
    return of.getDescriptorForType().findFieldByName(name);
  }

  private static Object get(Message of, String name) {
    return of.getField(of.getDescriptorForType().findFieldByName(name));
  }

  private static boolean has(Message of, String name) {
    return of.hasField(of.getDescriptorForType().findFieldByName(name));
  }

  /** Adds a message, as it is encoded, to a list of them. */
  private static void add(Message.Builder to, String name, ByteString encoded) {
    try {
      to.addRepeatedField(field(to, name), to.newBuilderForField(field(to, name)).mergeFrom(encoded).build());
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new IllegalStateException(e); // it was just encoded
    }
  }

  private static boolean isBinary(String name) {
    return name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
  }

  private static List<String> values(Metadata from, String name) {
    List<String> values = new ArrayList<>();
    if (isBinary(name)) {
      for (byte[] value : from.getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER))) {
        values.add(Base64.getEncoder().withoutPadding().encodeToString(value));
      }
    } else {
      from.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)).forEach(values::add);
    }
    return values;
  }

  /** Adds the suite's headers, whose binary values are in base64. */
  private static void addAll(Metadata to, Object headers) {
    for (Object one : (List<?>) headers) {
      String name = (String) get((Message) one, "name");
      for (Object value : (List<?>) get((Message) one, "value")) {
        if (isBinary(name)) {
          to.put(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER), Base64.getDecoder().decode((String) value));
        } else {
          to.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), (String) value);
        }
      }
    }
  }
}
