package rpcbench.stack;

import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.function.IntFunction;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * What a server needs.
 *
 * @param network tcp or unix
 * @param address host:port, port 0 picks one; or the path of a socket to be made
 * @param tls null is plaintext
 * @param authorize reports whether a client may call; null lets everybody in
 * @param reply the payload of a reply of n bytes whose request had another size; shared: never write to it. Replies as
 *     long as their request carry the request's own bytes
 * @param limits of what it does for clients that nobody knows
 * @param wire counts sockets and bytes; see {@link Wire}
 * @param options those of {@link Info#options} that have server, no others
 * @param store the records that accesses are to; null has none
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
   * Asked as each call begins, a stream being one call, before the service does anything for it. A client that is not
   * let in gets PERMISSION_DENIED (HTTP 403) for the call, and keeps its connection. May be called concurrently.
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
