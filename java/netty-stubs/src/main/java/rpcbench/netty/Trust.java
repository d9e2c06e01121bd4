package rpcbench.netty;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import rpcbench.credential.Keys;
import rpcbench.stack.Tls;

/** Tells Netty's TLS whom to trust, and who a side is. */
public final class Trust {
  private Trust() {}

  /** Takes a client's keys, its own certificate too if it has one. */
  public static void client(SslContextBuilder builder, Keys keys) {
    builder.trustManager(keys.trusted());
    if (keys.own() != null) {
      builder.keyManager(keys.own());
    }
  }

  /** Has a server ask for certificates where its keys say so. */
  public static void server(SslContextBuilder builder, Tls tls) {
    if (tls.mutual()) {
      builder.trustManager(tls.authority()).clientAuth(ClientAuth.REQUIRE);
    }
  }
}
