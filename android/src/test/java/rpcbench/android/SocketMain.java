package rpcbench.android;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import rpcbench.android.stack.Stacks;
import rpcbench.host.Battery;
import rpcbench.worker.Worker;

/**
 * The app's worker on a JVM, with the app's classes and libraries: it converses over a socket, as on a phone, and is reached on
 * standard input and output, or with an argument at the port that it prints.
 */
public final class SocketMain {
  private SocketMain() {}

  public static void main(String[] arguments) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      if (arguments.length > 0) {
        System.out.println(listener.getLocalPort());
        while (true) {
          serve(listener);
        }
      }
      Thread worker = new Thread(() -> serve(listener));
      worker.start();
      bridge(listener.getLocalPort());
      worker.join();
    }
    System.exit(0);
  }

  private static void serve(ServerSocket listener) {
    try (Socket socket = listener.accept()) {
      Worker.converseInApp(Stacks.make(), Battery.NONE, socket.getInputStream(), socket.getOutputStream());
    } catch (Exception e) {
      System.err.println("the worker: " + e);
    }
  }

  private static void bridge(int port) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      Thread events = new Thread(() -> copy(socket, System.out));
      events.start();
      OutputStream commands = socket.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (int n = System.in.read(buffer); n > 0; n = System.in.read(buffer)) {
        commands.write(buffer, 0, n);
        commands.flush();
      }
      socket.shutdownOutput();
      events.join();
    }
  }

  private static void copy(Socket from, OutputStream to) {
    try {
      InputStream in = from.getInputStream();
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        to.write(buffer, 0, n);
        to.flush();
      }
    } catch (Exception e) {
      System.err.println("the events: " + e);
    }
  }
}
