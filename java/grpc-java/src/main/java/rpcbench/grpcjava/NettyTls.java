package rpcbench.grpcjava;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import rpcbench.stack.Tls;

/** TLS over Netty, by BoringSSL where its library loads, else by the JDK: what gRPC itself would choose. */
final class NettyTls {
  private static final SslProvider PROVIDER = OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;

  /** BoringSSL's context serves all connections. */
  private final Remembered<SslContext> contexts = new Remembered<>(tls -> context(Keys.of(tls)));

  /** The JDK's contexts can't be kept from resuming sessions, and get one for each connection. */
  private final Remembered<Keys> keys = new Remembered<>(Keys::of);

  static String provider() {
    return PROVIDER == SslProvider.OPENSSL ? "BoringSSL" : "the JDK";
  }

  /** Returns the context of the next connection, whose handshake will be a whole one. */
  SslContext client(Tls tls) throws GeneralSecurityException {
    return PROVIDER == SslProvider.OPENSSL ? contexts.of(tls) : context(keys.of(tls));
  }

  private static SslContext context(Keys keys) throws GeneralSecurityException {
    SslContextBuilder builder = SslContextBuilder.forClient().trustManager(keys.trusted());
    if (keys.own() != null) {
      builder.keyManager(keys.own());
    }
    SslContext context = build(builder);
    if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
      sessions.setSessionCacheEnabled(false);
    }
    return context;
  }

  static SslContext server(Tls tls) throws GeneralSecurityException {
    SslContextBuilder builder = SslContextBuilder.forServer(tls.key(), tls.certificate());
    if (tls.mutual()) {
      builder.trustManager(tls.authority()).clientAuth(ClientAuth.REQUIRE);
    }
    return build(builder);
  }

  private static SslContext build(SslContextBuilder builder) throws GeneralSecurityException {
    try {
      return GrpcSslContexts.configure(builder, PROVIDER).build();
    } catch (SSLException e) {
      throw new GeneralSecurityException("no TLS context can be made of the keys: " + e.getMessage(), e);
    }
  }
}
