package rpcbench.httpjson;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import rpcbench.credential.Keys;

/**
 * Adds TLS to sockets. Whatever host a library asks for, the server must present a certificate for the expected name: that name
 * is what JSSE verifies and sends as SNI.
 */
final class TlsSockets extends LayeringFactory {
  private final SSLSocketFactory jsse;
  private final String serverName;

  TlsSockets(Keys keys) {
    jsse = keys.context().getSocketFactory();
    serverName = keys.tls().serverName();
  }

  @Override
  public Socket createSocket(Socket bare, String host, int port, boolean autoClose) throws IOException {
    SSLSocket socket = (SSLSocket) jsse.createSocket(bare, serverName, port, autoClose);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    return socket;
  }
}
