package rpcbench.grpcjava;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Stack;
import rpcbench.stack.Store;
import rpcbench.stack.Tls;
import rpcbench.stack.Wire;

/** A server, grpc-java-netty unless another is given, and its clients. Fields may be set before serve. */
final class Rig implements AutoCloseable {
  final Stack client;
  private final Stack serving;
  final Wire clientWire = new Wire();
  final Wire serverWire = new Wire();
  String network = "tcp";
  Tls serverTls;
  Tls clientTls;
  IntFunction<byte[]> reply = Calls::reply;
  ServeConfig.Authorize authorize;
  ServerLimits limits = ServerLimits.NONE;
  Store store;
  Map<String, String> serverOptions = Map.of();
  Map<String, String> clientOptions = Map.of();
  String address;
  Server server;
  private Path folder;

  Rig(Stack client) {
    this(client, new NettyStack());
  }

  Rig(Stack client, Stack serving) {
    this.client = client;
    this.serving = serving;
  }

  Rig secure(String security) {
    serverTls = TestKeys.server(security);
    clientTls = TestKeys.client(security);
    return this;
  }

  Rig serve() throws Exception {
    String at = "127.0.0.1:0";
    if (network.equals("unix")) {
      folder = Files.createTempDirectory("rig");
      at = folder.resolve("s").toString();
    }
    server = serving.serve(
        new ServeConfig(network, at, serverTls, authorize, reply, limits, serverWire, serverOptions, store));
    address = server.address();
    return this;
  }

  Conn dial(String compression, int slots) throws CallException {
    return client.dial(
        new DialConfig(network, address, clientTls, compression, slots, clientWire, clientOptions));
  }

  Conn dial() throws CallException {
    return dial("none", Calls.SLOTS);
  }

  @Override
  public void close() throws Exception {
    server.stop(TimeUnit.MILLISECONDS.toNanos(1));
    if (folder != null) {
      Files.deleteIfExists(folder.resolve("s"));
      Files.delete(folder);
    }
  }
}
