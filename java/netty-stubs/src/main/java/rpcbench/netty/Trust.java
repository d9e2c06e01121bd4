package rpcbench.netty;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import rpcbench.credential.Keys;
import rpcbench.stack.Tls;

/** Configures Netty's TLS: whom a side trusts, and its own certificate. */
public final class Trust {
  private Trust() {}

  /** Configures a client with its keys, including its certificate if it has one. */
  public static void client(SslContextBuilder builder, Keys keys) {
    builder.trustManager(keys.trusted());
    if (keys.own() != null) {
      builder.keyManager(keys.own());
    }
  }

  /** Makes a server require client certificates if its keys are for mutual TLS. */
  public static void server(SslContextBuilder builder, Tls tls) {
    if (tls.mutual()) {
      builder.trustManager(tls.authority()).clientAuth(ClientAuth.REQUIRE);
    }
  }
}
