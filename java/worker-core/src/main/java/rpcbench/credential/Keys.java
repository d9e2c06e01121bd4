package rpcbench.credential;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import rpcbench.stack.Tls;

/**
 * A side's keys in the JDK's form. They are created once per Tls and used by all its connections, because creating them takes
 * longer than a handshake; see {@link KeyRing}. Safe for concurrent use.
 *
 * @param own null without a certificate
 * @param trusted null if no certificates are required, or the system's authorities are trusted
 */
public record Keys(Tls tls, KeyManagerFactory own, TrustManagerFactory trusted) {
  private static final char[] NO_PASSWORD = {};

  /** Makes the keys of a side. */
  public static Keys of(Tls tls) throws GeneralSecurityException {
    return new Keys(tls, tls.certificate() == null ? null : own(tls), trusting(tls));
  }

  private static TrustManagerFactory trusting(Tls tls) throws GeneralSecurityException {
    if (tls.unverified()) {
      return AnyCertificate.factory();
    }
    return tls.authority() == null ? null : trusted(tls);
  }

  private static KeyManagerFactory own(Tls tls) throws GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setKeyEntry("own", tls.key(), NO_PASSWORD, new Certificate[] {tls.certificate()});
    KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory;
  }

  private static TrustManagerFactory trusted(Tls tls) throws GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setCertificateEntry("authority", tls.authority());
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
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

  /** Makes a context that knows no earlier session, so that the next handshake is a whole one. */
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own == null ? null : own.getKeyManagers(), trusted == null ? null : trusted.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) { // every JDK has it, and the managers are its own
      throw new IllegalStateException("no TLS context can be made of the keys", e);
    }
  }

  /** Returns the manager that trusts the authority. */
  public X509TrustManager trustManager() {
    for (TrustManager manager : trusted.getTrustManagers()) {
      if (manager instanceof X509TrustManager x509) {
        return x509;
      }
    }
    throw new IllegalStateException("this JVM has no trust manager for X.509");
  }
}
