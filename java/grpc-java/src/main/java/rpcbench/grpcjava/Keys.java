package rpcbench.grpcjava;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import rpcbench.stack.Tls;

/**
 * A side's keys as the JDK wants them. They are made once for a Tls and used by all its connections, because making
 * them takes longer than a handshake.
 *
 * @param own null without a certificate
 * @param trusted null where nobody is asked for a certificate
 */
record Keys(Tls tls, KeyManagerFactory own, TrustManagerFactory trusted) {
  private static final char[] NO_PASSWORD = new char[0];

  static Keys of(Tls tls) throws GeneralSecurityException {
    try {
      return new Keys(tls, tls.certificate() == null ? null : own(tls), tls.authority() == null ? null : trusted(tls));
    } catch (IOException e) {
      throw new GeneralSecurityException("an empty key store can't be made", e);
    }
  }

  private static KeyManagerFactory own(Tls tls) throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    store.setKeyEntry("own", tls.key(), NO_PASSWORD, new Certificate[] {tls.certificate()});
    KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory;
  }

  private static TrustManagerFactory trusted(Tls tls) throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    store.setCertificateEntry("authority", tls.authority());
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }

  /** PKCS12, the default, would encrypt the key in ten thousand rounds on its way in, and decrypt it so on its way out. */
  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    return store;
  }

  /** Makes a context that knows no earlier session, so that the next handshake is a whole one. */
  SSLContext context() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own == null ? null : own.getKeyManagers(), trusted == null ? null : trusted.getTrustManagers(), null);
    return context;
  }
}
