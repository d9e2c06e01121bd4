package rpcbench.httpjson;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import rpcbench.socket.Meter;
import rpcbench.stack.Wire;

/**
 * A plain TCP socket with the type of a TLS socket, without handshake and encryption. HttpURLConnection opens its sockets itself,
 * except for https, where it asks a factory for an SSLSocket. With this class plaintext takes the same path, so that sockets and
 * bytes are counted and calls can be canceled. The JDK runs the same code for a call, with one more delegation, and sends the
 * same bytes, as a test shows.
 */
final class UnencryptedSocket extends SSLSocket {
  private static final String[] NONE = {};

  private final Meter meter;

  UnencryptedSocket(Wire wire) {
    meter = new Meter(wire);
  }

  @Override
  public void connect(SocketAddress endpoint, int timeoutMs) throws IOException {
    super.connect(endpoint, timeoutMs);
    meter.connected(this);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return meter.in(super::getInputStream);
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return meter.out(super::getOutputStream);
  }

  @Override
  public void close() throws IOException {
    meter.closed();
    super.close();
  }

  /** Claims that the socket checks the server's name; otherwise HttpURLConnection would look for a certificate. */
  @Override
  public SSLParameters getSSLParameters() {
    SSLParameters parameters = new SSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    return parameters;
  }

  @Override
  public void startHandshake() {}

  @Override
  public SSLSession getSession() {
    return null;
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return NONE;
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return NONE;
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {}

  @Override
  public String[] getSupportedProtocols() {
    return NONE;
  }

  @Override
  public String[] getEnabledProtocols() {
    return NONE;
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {}

  @Override
  public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {}

  @Override
  public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {}

  @Override
  public void setUseClientMode(boolean mode) {}

  @Override
  public boolean getUseClientMode() {
    return true;
  }

  @Override
  public void setNeedClientAuth(boolean need) {}

  @Override
  public boolean getNeedClientAuth() {
    return false;
  }

  @Override
  public void setWantClientAuth(boolean want) {}

  @Override
  public boolean getWantClientAuth() {
    return false;
  }

  @Override
  public void setEnableSessionCreation(boolean flag) {}

  @Override
  public boolean getEnableSessionCreation() {
    return true;
  }
}
