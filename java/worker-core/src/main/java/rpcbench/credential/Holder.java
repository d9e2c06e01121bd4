package rpcbench.credential;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Who holds a certificate: a name such as root:alice, in the URI rpcbench:root:alice among its alternative names. */
public final class Holder {
  private static final String SCHEME = "rpcbench:";
  private static final Integer URI = 6; // of X509Certificate.getSubjectAlternativeNames

  private Holder() {}

  /** The name, percent-decoded; null for a certificate without such a URI, or with two: it is nobody's. */
  public static String nameOf(X509Certificate certificate) {
    Collection<List<?>> alternatives;
    try {
      alternatives = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return null;
    }
    List<String> uris = new ArrayList<>();
    if (alternatives != null) {
      for (List<?> alternative : alternatives) {
        if (URI.equals(alternative.get(0))) {
          uris.add((String) alternative.get(1));
        }
      }
    }
    return nameIn(uris);
  }

  static String nameIn(List<String> uris) {
    String name = null;
    for (String uri : uris) {
      if (!uri.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
        continue;
      }
      if (name != null) {
        return null;
      }
      name = decode(uri.substring(SCHEME.length()));
      if (name == null) {
        return null;
      }
    }
    return name;
  }

  /** Decodes what stands behind the scheme; null where that is no name. */
  private static String decode(String opaque) {
    if (opaque.isEmpty() || opaque.startsWith("/") || opaque.indexOf('?') >= 0 || opaque.indexOf('#') >= 0) {
      return null;
    }
    byte[] escaped = opaque.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(escaped.length);
    for (int i = 0; i < escaped.length; i++) {
      if (escaped[i] != '%') {
        decoded.write(escaped[i]);
        continue;
      }
      int high = i + 2 < escaped.length ? Character.digit(escaped[i + 1], 16) : -1;
      int low = i + 2 < escaped.length ? Character.digit(escaped[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        return null;
      }
      decoded.write(high << 4 | low);
      i += 2;
    }
    return text(decoded.toByteArray());
  }

  private static String text(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
