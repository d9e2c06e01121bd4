package rpcbench.grpcjava;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;
import rpcbench.credential.KeyRing;
import rpcbench.credential.Keys;
import rpcbench.netty.Trust;
import rpcbench.stack.CallException;
import rpcbench.stack.Tls;

/** TLS on Netty, by BoringSSL if its library loads, otherwise by the JDK, as gRPC itself chooses. */
final class NettyTls {
  private static final SslProvider PROVIDER = OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;

  /** BoringSSL's context serves all connections. */
  private final KeyRing<SslContext> contexts = new KeyRing<>(tls -> context(Keys.of(tls)));

  /** With the JDK each connection has a context of its own, because its contexts always resume sessions. */
  private final KeyRing<Keys> keys = new KeyRing<>(Keys::of);

  static String provider() {
    return PROVIDER == SslProvider.OPENSSL ? "BoringSSL" : "the JDK";
  }

  /** Returns the context of the next connection, which makes a full handshake. */
  SslContext client(Tls tls) throws CallException {
    return PROVIDER == SslProvider.OPENSSL ? contexts.of(tls) : context(keys.of(tls));
  }

  private static SslContext context(Keys keys) throws CallException {
    SslContextBuilder builder = SslContextBuilder.forClient();
    Trust.client(builder, keys);
    SslContext context = build(builder);
    if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
      sessions.setSessionCacheEnabled(false);
    }
    return context;
  }

  static SslContext server(Tls tls) throws CallException {
    SslContextBuilder builder = SslContextBuilder.forServer(tls.key(), tls.certificate());
    Trust.server(builder, tls);
    return build(builder);
  }

  private static SslContext build(SslContextBuilder builder) throws CallException {
    try {
      return GrpcSslContexts.configure(builder, PROVIDER).build();
    } catch (SSLException e) {
      throw CallException.invalid("no TLS context can be made of the keys: " + e.getMessage());
    }
  }
}
