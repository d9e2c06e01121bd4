package rpcbench.okhttp;

import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.internal.OkHostnameVerifier;
import javax.net.ssl.SSLSession;
import rpcbench.credential.KeyRing;
import rpcbench.credential.Keys;
import rpcbench.grpc.Channels;
import rpcbench.grpc.ClientOptions;
import rpcbench.socket.CountedSockets;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.DialConfig;

/** Makes channels whose sockets are counted. Safe for concurrent use. */
public final class OkHttpChannels {
  private final KeyRing<Keys> keys = new KeyRing<>(Keys::of);

  /** Returns the builder of a channel to a DialConfig's address, with its security. */
  public OkHttpChannelBuilder builder(DialConfig config, ClientOptions options) throws CallException {
    Address address = Address.parse(config.address());
    OkHttpChannelBuilder builder = OkHttpChannelBuilder.forAddress(address.called(), address.port());
    Channels.configure(builder, options);
    builder.socketFactory(new CountedSockets(config.wire()));
    return config.tls() == null ? builder.usePlaintext() : secured(builder, config);
  }

  private OkHttpChannelBuilder secured(OkHttpChannelBuilder builder, DialConfig config) throws CallException {
    return builder
        .sslSocketFactory(keys.of(config.tls()).context().getSocketFactory())
        .hostnameVerifier((host, session) -> verify(config, host, session))
        .overrideAuthority(config.tls().serverName());
  }

  /** Checks the server's name as the library would. It is called right after the handshake. */
  private static boolean verify(DialConfig config, String host, SSLSession session) {
    config.wire().secured();
    return config.tls().unverified() || OkHostnameVerifier.INSTANCE.verify(host, session);
  }
}
