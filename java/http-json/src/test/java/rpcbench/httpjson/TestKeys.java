package rpcbench.httpjson;

import okhttp3.tls.HeldCertificate;
import rpcbench.stack.Tls;

/** Keys of two sides that trust each other, and of a stranger. */
final class TestKeys {
  /** Differs from the address that the clients dial. */
  static final String SERVER_NAME = "rpcbench.test";

  private static final HeldCertificate AUTHORITY = authority();
  private static final HeldCertificate SERVER = issue(AUTHORITY, SERVER_NAME);
  private static final HeldCertificate CLIENT = issue(AUTHORITY, "client.test");
  private static final HeldCertificate STRANGE_AUTHORITY = authority();
  private static final HeldCertificate STRANGE = issue(STRANGE_AUTHORITY, SERVER_NAME);

  private TestKeys() {}

  static Tls server(boolean mutual) {
    return new Tls(
        mutual ? AUTHORITY.certificate() : null, SERVER.certificate(), SERVER.keyPair().getPrivate(), null, mutual);
  }

  static Tls client(boolean mutual) {
    return mutual ? of(AUTHORITY, CLIENT, SERVER_NAME) : of(AUTHORITY, null, SERVER_NAME);
  }

  /** Returns keys of a client that trusts the server, which does not trust it. */
  static Tls strangeClient() {
    return of(AUTHORITY, STRANGE, SERVER_NAME);
  }

  /** Returns keys of a client that does not trust the server. */
  static Tls mistrustfulClient() {
    return of(STRANGE_AUTHORITY, CLIENT, SERVER_NAME);
  }

  static Tls clientOf(String serverName) {
    return of(AUTHORITY, CLIENT, serverName);
  }

  private static Tls of(HeldCertificate authority, HeldCertificate own, String serverName) {
    return new Tls(
        authority.certificate(),
        own == null ? null : own.certificate(),
        own == null ? null : own.keyPair().getPrivate(),
        serverName,
        false);
  }

  private static HeldCertificate authority() {
    return new HeldCertificate.Builder().certificateAuthority(0).build();
  }

  private static HeldCertificate issue(HeldCertificate authority, String name) {
    return new HeldCertificate.Builder().signedBy(authority).addSubjectAlternativeName(name).build();
  }
}
