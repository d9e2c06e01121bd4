package rpcbench.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;

/** The fixtures are a folder of credentials as rpcbench writes it, for no real client. */
class PemTest {
  static byte[] read(String name) throws IOException {
    try (InputStream in = PemTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void certificatesAndKeysOfRpcbenchAreRead() throws Exception {
    X509Certificate authority = Pem.certificate(read("ca.pem"));
    for (String holder : new String[] {"server", "client"}) {
      X509Certificate certificate = Pem.certificate(read(holder + ".pem"));
      certificate.verify(authority.getPublicKey());
      assertEquals("EC", Pem.key(read(holder + "-key.pem"), certificate).getAlgorithm());
    }
    assertEquals("rpcbench", Holder.nameOf(Pem.certificate(read("server.pem"))));
    assertEquals("rpcbench:client", Holder.nameOf(Pem.certificate(read("client.pem"))));
  }

  @Test
  void anotherKeyIsRefused() throws Exception {
    X509Certificate certificate = Pem.certificate(read("server.pem"));
    assertRefused("the key is not that of the certificate", () -> Pem.key(read("client-key.pem"), certificate));
  }

  @Test
  void whatIsNoPemIsRefused() throws Exception {
    X509Certificate certificate = Pem.certificate(read("server.pem"));
    assertRefused("there is no certificate in it", () -> Pem.certificate(new byte[0]));
    assertRefused("there is no certificate in it", () -> Pem.certificate(read("server-key.pem")));
    assertRefused("there is no key in PKCS #8 in it", () -> Pem.key(read("server.pem"), certificate));
    assertRefused("there is more than one certificate in it", () -> Pem.certificate(twice(read("server.pem"))));
    String text = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
    byte[] rubbish = text.getBytes(StandardCharsets.US_ASCII);
    var refused = assertThrows(GeneralSecurityException.class, () -> Pem.key(rubbish, certificate));
    assertEquals("the key can't be read", refused.getMessage().split(":")[0]);
  }

  private static byte[] twice(byte[] text) {
    return new String(text, StandardCharsets.US_ASCII).repeat(2).getBytes(StandardCharsets.US_ASCII);
  }

  private static void assertRefused(String why, org.junit.jupiter.api.function.Executable read) {
    assertEquals(why, assertThrows(GeneralSecurityException.class, read).getMessage());
  }
}
