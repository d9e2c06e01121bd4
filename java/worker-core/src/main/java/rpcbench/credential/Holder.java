package rpcbench.credential;

import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A certificate's holder: a name such as root:alice, in the URI rpcbench:root:alice among its alternative names. */
public final class Holder {
  private static final String SCHEME = "rpcbench:";
  private static final Integer URI_TYPE = 6; // of X509Certificate.getSubjectAlternativeNames
  private static final char MALFORMED = '\uFFFD'; // URI's replacement for escapes that are not UTF-8

  private Holder() {}

  /** Returns the name, percent-decoded, or null if the certificate has no such URI, or two. */
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
        if (URI_TYPE.equals(alternative.get(0))) {
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
      name = decode(uri);
      if (name == null) {
        return null;
      }
    }
    return name;
  }

  /** Decodes the part after the scheme; null if it is not a name. */
  private static String decode(String uri) {
    try {
      URI parsed = new URI(uri);
      String name = parsed.getSchemeSpecificPart();
      boolean plain = parsed.isOpaque() && parsed.getRawFragment() == null && uri.indexOf('?') < 0;
      return plain && name.indexOf(MALFORMED) < 0 ? name : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
