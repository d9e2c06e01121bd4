package rpcbench.credential;

import java.net.Socket;
import java.security.KeyStore;
import java.security.Provider;
import java.security.cert.X509Certificate;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;
import javax.net.ssl.X509ExtendedTrustManager;

/** Accepts any certificate of a server, with any name, if the user asked for it. */
final class AnyCertificate extends X509ExtendedTrustManager {
  private AnyCertificate() {}

  /** Android has only the older way to make a Provider. */
  @SuppressWarnings("deprecation")
  static TrustManagerFactory factory() {
    Provider none = new Provider("rpcbench", 1, "any certificate") {
      private static final long serialVersionUID = 1;
    };
    return new TrustManagerFactory(new Spi(), none, "any") {};
  }

  private static final class Spi extends TrustManagerFactorySpi {
    @Override
    protected void engineInit(KeyStore store) {}

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {}

    @Override
    protected TrustManager[] engineGetTrustManagers() {
      return new TrustManager[] {new AnyCertificate()};
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) {}

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
