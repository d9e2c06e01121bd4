package rpcbench.stack;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * The keys of one side.
 *
 * @param authority the trusted CA; null on a server that requires no certificate, and on a client that trusts the system's
 *     CAs, or any certificate
 * @param certificate the side's own; null on a client without mtls
 * @param key of the certificate; null without one
 * @param serverName the name that the client expects in the server's certificate; null on a server
 * @param mutual on a server: require a client's certificate, and refuse the handshake without a good one
 * @param unverified on a client: accept any certificate of a server
 */
public record Tls(
    X509Certificate authority, X509Certificate certificate, PrivateKey key, String serverName, boolean mutual,
    boolean unverified) {

  /** Keys of a side that verifies the other's. */
  public Tls(
      X509Certificate authority, X509Certificate certificate, PrivateKey key, String serverName, boolean mutual) {
    this(authority, certificate, key, serverName, mutual, false);
  }
}
