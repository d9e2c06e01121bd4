package rpcbench.httpjson;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import rpcbench.stack.Tls;

/** One side's keys as JSSE wants them. Safe for concurrent use. */
final class Keys {
  private static final char[] NO_PASSWORD = {};

  private final Tls tls;
  private final KeyManager[] own; // null where there is no certificate
  private final TrustManager[] trusted; // null where nobody is asked for one

  Keys(Tls tls) throws GeneralSecurityException {
    this.tls = tls;
    own = tls.certificate() == null ? null : keyManagers(tls);
    trusted = tls.authority() == null ? null : trustManagers(tls);
  }

  /** Whether these are made of tls. */
  boolean areOf(Tls tls) {
    return this.tls == tls;
  }

  String serverName() {
    return tls.serverName();
  }

  /** A context of its own, so that a connection does not resume the TLS session of another. */
  SSLContext context() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, trusted, null);
    return context;
  }

  X509TrustManager trustManager() {
    for (TrustManager manager : trusted) {
      if (manager instanceof X509TrustManager x509) {
        return x509;
      }
    }
    throw new IllegalStateException("this JVM has no trust manager for X.509");
  }

  private static KeyManager[] keyManagers(Tls tls) throws GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setKeyEntry("own", tls.key(), NO_PASSWORD, new Certificate[] {tls.certificate()});
    KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager[] trustManagers(Tls tls) throws GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setCertificateEntry("authority", tls.authority());
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  /** PKCS12, the default, would encrypt the key in ten thousand rounds on its way in, and decrypt it so on its way out. */
  private static KeyStore emptyStore() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("JKS");
    try {
      store.load(null, null);
    } catch (IOException e) { // nothing is read
      throw new IllegalStateException(e);
    }
    return store;
  }
}
