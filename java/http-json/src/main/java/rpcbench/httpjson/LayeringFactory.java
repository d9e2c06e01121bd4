package rpcbench.httpjson;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/** Creates TLS sockets only on open sockets, because others would not be counted. Its cipher suites are never requested. */
abstract class LayeringFactory extends SSLSocketFactory {
  @Override
  public abstract Socket createSocket(Socket bare, String host, int port, boolean autoClose) throws IOException;

  @Override
  public String[] getDefaultCipherSuites() {
    return new String[0];
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return new String[0];
  }

  @Override
  public final Socket createSocket(String host, int port) throws IOException {
    throw refusal();
  }

  @Override
  public final Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
    throw refusal();
  }

  @Override
  public final Socket createSocket(InetAddress host, int port) throws IOException {
    throw refusal();
  }

  @Override
  public final Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    throw refusal();
  }

  private static IOException refusal() {
    return new IOException("a TLS socket is made over an open socket only");
  }
}
