package rpcbench.stack;

import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.function.IntFunction;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The parameters of a server.
 *
 * @param network tcp or unix
 * @param address host:port, where port 0 picks one; or the path of a socket to create
 * @param tls null for plaintext
 * @param authorize reports whether a client may call; null admits every client
 * @param reply the payload of a reply of n bytes whose request had another size; shared: never write to it. Replies of their
 *     request's length carry the request's own bytes
 * @param limits for unknown clients
 * @param wire counts sockets and bytes; see {@link Wire}
 * @param options only those of {@link Info#options} with server
 * @param store the records for accesses; null if there are none
 */
public record ServeConfig(
    String network,
    String address,
    Tls tls,
    Authorize authorize,
    IntFunction<byte[]> reply,
    ServerLimits limits,
    Wire wire,
    Map<String, String> options,
    Store store) {

  /** Without a store. */
  public ServeConfig(
      String network,
      String address,
      Tls tls,
      Authorize authorize,
      IntFunction<byte[]> reply,
      ServerLimits limits,
      Wire wire,
      Map<String, String> options) {
    this(network, address, tls, authorize, reply, limits, wire, options, null);
  }

  /** Without limits. */
  public ServeConfig(
      String network,
      String address,
      Tls tls,
      Authorize authorize,
      IntFunction<byte[]> reply,
      Wire wire,
      Map<String, String> options) {
    this(network, address, tls, authorize, reply, ServerLimits.NONE, wire, options);
  }

  /** Is the same at another address. */
  public ServeConfig at(String other) {
    return new ServeConfig(network, other, tls, authorize, reply, limits, wire, options, store);
  }

  /**
   * Called at the start of each call, a stream being one call, before the service acts on it. A client that is refused gets
   * PERMISSION_DENIED (HTTP 403) for the call, and keeps its connection. May be called concurrently.
   */
  @FunctionalInterface
  public interface Authorize {
    /**
     * @param client the certificate that the client showed in the handshake, null without one
     * @return null lets it in; else why not, one sentence
     */
    String refusal(X509Certificate client);

    /** The same of a connection's session, null without TLS. */
    default String refusalOf(SSLSession session) {
      try {
        return refusal(session == null ? null : (X509Certificate) session.getPeerCertificates()[0]);
      } catch (SSLPeerUnverifiedException e) { // it has shown none
        return refusal(null);
      }
    }
  }
}
