package rpcbench.stack;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * Keys of one side.
 *
 * @param authority whom to trust; null on a server that asks for no certificate, and on a client that trusts whom the system trusts, or anybody
 * @param certificate the side's own; null on a client without mtls
 * @param key of the certificate; null without one
 * @param serverName the name that the client expects in the server's certificate; null on a server
 * @param mutual on a server: ask for a client's certificate, and refuse the handshake without a good one
 * @param unverified on a client: take any certificate of a server
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
