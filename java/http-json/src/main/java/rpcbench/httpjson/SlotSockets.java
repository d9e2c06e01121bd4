package rpcbench.httpjson;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import javax.net.ssl.SSLSocket;
import rpcbench.socket.CountedSocket;
import rpcbench.stack.Wire;

/**
 * Opens the sockets of one slot for HttpURLConnection. The JVM has one pool of idle connections, keyed by host, port and this
 * factory, so a slot gets only its own socket back.
 */
final class SlotSockets extends LayeringFactory {
  private final Wire wire;
  private final TlsSockets tls; // null for plaintext
  private Socket last; // this and the next are guarded by this object
  private boolean dead;

  SlotSockets(Wire wire, TlsSockets tls) {
    this.wire = wire;
    this.tls = tls;
  }

  @Override
  public synchronized Socket createSocket() throws IOException {
    if (dead) {
      throw new SocketException("the call was cancelled");
    }
    last = tls == null ? new UnencryptedSocket(wire) : new CountedSocket(wire);
    return last;
  }

  /** The JDK calls the listener on a new thread, slightly late. */
  @Override
  public Socket createSocket(Socket bare, String host, int port, boolean autoClose) throws IOException {
    SSLSocket socket = (SSLSocket) tls.createSocket(bare, host, port, autoClose);
    socket.addHandshakeCompletedListener(done -> wire.secured());
    return socket;
  }

  /** Closes the slot's socket, in use or not, and opens no other. */
  synchronized void kill() {
    dead = true;
    if (last == null) {
      return;
    }
    try {
      last.close();
    } catch (IOException e) {
      // The socket is not used again, closed or not.
    }
  }

  synchronized boolean isDead() {
    return dead;
  }
}
