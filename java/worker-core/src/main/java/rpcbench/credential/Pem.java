package rpcbench.credential;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads PEM (RFC 7468). Errors are one sentence. */
public final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  private Pem() {}

  /** Reads one certificate. Text without one, or with another, is an error. */
  public static X509Certificate certificate(byte[] pem) throws GeneralSecurityException {
    byte[] der = only("CERTIFICATE", "certificate", pem);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw new GeneralSecurityException("the certificate can't be read: " + e.getMessage(), e);
    }
  }

  /** Reads the key of a certificate, in PKCS #8. Another's key is an error. */
  public static PrivateKey key(byte[] pem, X509Certificate certificate) throws GeneralSecurityException {
    byte[] der = only("PRIVATE KEY", "key in PKCS #8", pem);
    PublicKey holder = certificate.getPublicKey();
    PrivateKey key;
    try {
      key = KeyFactory.getInstance(holder.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (GeneralSecurityException e) {
      throw new GeneralSecurityException("the key can't be read: " + e.getMessage(), e);
    }
    if (!fits(key, holder)) {
      throw new GeneralSecurityException("the key is not that of the certificate");
    }
    return key;
  }

  private static byte[] only(String label, String what, byte[] pem) throws GeneralSecurityException {
    byte[] found = null;
    Matcher blocks = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
    while (blocks.find()) {
      if (!blocks.group(1).equals(label)) {
        continue;
      }
      if (found != null) {
        throw new GeneralSecurityException("there is more than one " + what + " in it");
      }
      found = decode(blocks.group(2));
    }
    if (found == null) {
      throw new GeneralSecurityException("there is no " + what + " in it");
    }
    return found;
  }

  private static byte[] decode(String base64) throws GeneralSecurityException {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("it is not PEM: " + e.getMessage(), e);
    }
  }

  /** Signs something with the key and asks the certificate's key about it. */
  private static boolean fits(PrivateKey key, PublicKey holder) throws GeneralSecurityException {
    byte[] text = "rpcbench".getBytes(StandardCharsets.US_ASCII);
    Signature signer = Signature.getInstance(signatureOf(holder.getAlgorithm()));
    signer.initSign(key);
    signer.update(text);
    byte[] signature = signer.sign();
    signer.initVerify(holder);
    signer.update(text);
    return signer.verify(signature);
  }

  private static String signatureOf(String algorithm) {
    return switch (algorithm) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> algorithm; // EdDSA is both
    };
  }
}
