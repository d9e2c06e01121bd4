package rpcbench.worker;

import com.google.protobuf.ByteString;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import rpcbench.credential.Pem;
import rpcbench.stack.CallException;
import rpcbench.stack.Tls;

/** Turns the security of a Serve or Connect into keys. */
final class Security {
  static final String TLS = "tls";
  static final String MTLS = "mtls";

  private Security() {}

  /** The server's keys; null is plaintext. */
  static Tls ofServer(rpcbench.worker.v1.Worker.Security security) throws FaultException {
    Check.refuse(!trust(security).isEmpty(), "serve.security." + trust(security), "only clients use it");
    boolean mutual = security.getMode().equals(MTLS);
    if (!mutual && !security.getMode().equals(TLS)) {
      return null;
    }
    X509Certificate certificate = certificate("serve.security.cert_pem", security.getCertPem());
    X509Certificate authority = mutual ? certificate("serve.security.ca_pem", security.getCaPem()) : null;
    return new Tls(authority, certificate, key("serve", security, certificate), null, mutual);
  }

  /** The client's keys; null is plaintext. */
  static Tls ofClient(rpcbench.worker.v1.Worker.Security security) throws FaultException {
    boolean mutual = security.getMode().equals(MTLS);
    boolean plaintext = !mutual && !security.getMode().equals(TLS);
    boolean several = !security.getCaPem().isEmpty() || security.getSkipVerify() && security.getSystemRoots();
    Check.refuse(
        !trust(security).isEmpty() && (plaintext || several),
        "connect.security." + trust(security), "it needs tls or mtls, and excludes ca_pem");
    if (plaintext) {
      return null;
    }
    boolean unverified = security.getSkipVerify();
    X509Certificate authority = unverified || security.getSystemRoots()
        ? null
        : certificate("connect.security.ca_pem", security.getCaPem());
    if (security.getServerName().isEmpty()) {
      throw new FaultException("connect.security.server_name", "it is empty, and the server's certificate has a name");
    }
    if (!mutual) {
      return new Tls(authority, null, null, security.getServerName(), false, unverified);
    }
    X509Certificate certificate = certificate("connect.security.cert_pem", security.getCertPem());
    PrivateKey key = key("connect", security, certificate);
    return new Tls(authority, certificate, key, security.getServerName(), true, unverified);
  }

  /** Names what a client trusts in place of the certificate in ca_pem; "" is nothing. */
  private static String trust(rpcbench.worker.v1.Worker.Security security) {
    return security.getSkipVerify() ? "skip_verify" : security.getSystemRoots() ? "system_roots" : "";
  }

  private static X509Certificate certificate(String field, ByteString pem) throws FaultException {
    try {
      return Pem.certificate(pem.toByteArray());
    } catch (GeneralSecurityException e) {
      throw new FaultException(field, CallException.reason(e));
    }
  }

  private static PrivateKey key(
      String command, rpcbench.worker.v1.Worker.Security security, X509Certificate certificate) throws FaultException {
    try {
      return Pem.key(security.getKeyPem().toByteArray(), certificate);
    } catch (GeneralSecurityException e) {
      throw new FaultException(command + ".security.key_pem", CallException.reason(e));
    }
  }
}
