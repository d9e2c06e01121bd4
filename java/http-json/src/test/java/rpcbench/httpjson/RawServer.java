package rpcbench.httpjson;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers every request with the same bytes, and records the requests. Null bytes mean no answer at all. */
final class RawServer implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final byte[] answer;
  private final int answers; // per connection; the next request is read, and the connection closed
  private final List<String> requests = new ArrayList<>();
  private final List<Socket> sockets = new ArrayList<>();

  RawServer(byte[] answer) throws IOException {
    this(answer, Integer.MAX_VALUE);
  }

  private RawServer(byte[] answer, int answers) throws IOException {
    this.answer = answer;
    this.answers = answers;
    thread(this::accept);
  }

  static RawServer silent() throws IOException {
    return new RawServer(null);
  }

  /** Answers a number of requests on each connection, and closes it when it has read another. */
  static RawServer losing(byte[] answer, int answers) throws IOException {
    return new RawServer(answer, answers);
  }

  /** Answers with a status line, headers that each end with a line, and a body. */
  static RawServer of(String status, String headers, byte[] body) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    String head = "HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + body.length + "\r\n\r\n";
    all.write(head.getBytes(StandardCharsets.US_ASCII));
    all.write(body);
    return new RawServer(all.toByteArray());
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  int port() {
    return listener.getLocalPort();
  }

  synchronized List<String> requests() {
    return List.copyOf(requests);
  }

  synchronized int sockets() {
    return sockets.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        synchronized (this) {
          sockets.add(socket);
        }
        if (answer != null) {
          thread(() -> answer(socket));
        }
      }
    } catch (IOException e) {
      // The server was closed.
    }
  }

  private void answer(Socket socket) {
    int answered = 0;
    try {
      for (String request = read(socket.getInputStream()); request != null; request = read(socket.getInputStream())) {
        synchronized (this) {
          requests.add(request);
        }
        if (++answered > answers) {
          break;
        }
        socket.getOutputStream().write(answer);
      }
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one request, byte by byte; null at the end of input. */
  private static String read(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        return null;
      }
      head.append((char) c);
    }
    Matcher length = LENGTH.matcher(head);
    int bytes = length.find() ? Integer.parseInt(length.group(1)) : 0;
    return head + new String(in.readNBytes(bytes), StandardCharsets.ISO_8859_1);
  }

  private static void thread(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((t, e) -> {}); // a client that went away
    thread.start();
  }

  /** Closes the connections. */
  synchronized void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
