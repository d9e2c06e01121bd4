package rpcbench.grpcjava;

import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/** A server that answers every method alike, with bytes for messages and as many as it likes. */
final class AnyServer implements AutoCloseable {
  private final Server server;

  /** Starts a server with one compressor. */
  AnyServer(Compressor compressor, ServerCallHandler<byte[], byte[]> handler) throws IOException {
    CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
    compressors.register(compressor);
    HandlerRegistry handlers = new HandlerRegistry() {
      @Override
      public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
        return ServerMethodDefinition.create(method(name), handler);
      }
    };
    server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .compressorRegistry(compressors)
        .fallbackHandlerRegistry(handlers)
        .build()
        .start();
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setType(MethodType.BIDI_STREAMING).setFullMethodName(name).build();
  }

  Conn dial(Stack client) throws CallException {
    String address = "127.0.0.1:" + server.getPort();
    return client.dial(new DialConfig("tcp", address, null, "none", Calls.SLOTS, new Wire(), Map.of()));
  }

  @Override
  public void close() throws InterruptedException {
    server.shutdownNow().awaitTermination();
  }

  /** Reads no request. */
  private static final class Bytes implements Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }
}
