package rpcbench.grpcjava;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;

/** Carries bytes between clients and a server. When cut, it behaves as if the server had died, until it is mended. */
final class Cable implements Closeable {
  private final int serverPort;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private ServerSocket listener;
  private DeadPort cutEnd; // null while the cable is whole
  private Thread accepting;
  private int port;

  Cable(String serverAddress) throws IOException, CallException {
    serverPort = Address.parse(serverAddress).port();
    mend();
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Listens again, at the same address. */
  void mend() throws IOException {
    if (cutEnd != null) {
      cutEnd.close();
      cutEnd = null;
    }
    ServerSocket fresh = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    port = fresh.getLocalPort();
    listener = fresh;
    accepting = daemon(() -> accept(fresh));
  }

  void cut() throws IOException {
    close();
    cutEnd = new DeadPort(port);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    try {
      accepting.join(); // the port is free once it no longer accepts
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while a cable was cut");
    }
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
    if (cutEnd != null) {
      cutEnd.close();
    }
  }

  private void accept(ServerSocket from) throws IOException {
    while (true) {
      Socket client = from.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.addAll(List.of(client, server));
      if (from.isClosed()) {
        client.close();
        server.close();
      }
      daemon(() -> client.getInputStream().transferTo(server.getOutputStream()));
      daemon(() -> server.getInputStream().transferTo(client.getOutputStream()));
    }
  }

  private static Thread daemon(Work work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (IOException e) {
        // The cable was cut.
      }
    }, "cable");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }
}
