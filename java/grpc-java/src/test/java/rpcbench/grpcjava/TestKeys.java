package rpcbench.grpcjava;

import io.grpc.testing.TlsTesting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import rpcbench.stack.Tls;

/** The keys of gRPC's own tests. Those called bad are signed by no trusted authority. */
final class TestKeys {
  private static final String SERVER_NAME = "foo.test.google.fr";

  private TestKeys() {}

  /** Returns a server's keys for a security; null for plaintext. */
  static Tls server(String security) {
    boolean mutual = security.equals("mtls");
    return security.equals("plaintext") ? null : server("server1", mutual);
  }

  static Tls server(String name, boolean mutual) {
    return new Tls(mutual ? certificate("ca.pem") : null, certificate(name + ".pem"), key(name), null, mutual);
  }

  static Tls client(String security) {
    return switch (security) {
      case "plaintext" -> null;
      case "tls" -> new Tls(certificate("ca.pem"), null, null, SERVER_NAME, false);
      default -> client("ca.pem", "client");
    };
  }

  static Tls client(String authority, String name) {
    return new Tls(certificate(authority), certificate(name + ".pem"), key(name), SERVER_NAME, false);
  }

  static X509Certificate certificate(String name) {
    try (InputStream in = TlsTesting.loadCert(name)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(name, e);
    }
  }

  private static PrivateKey key(String name) {
    try (InputStream in = TlsTesting.loadCert(name + ".key")) {
      String pem = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
      return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
