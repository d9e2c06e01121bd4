package rpcbench.httpjson;

import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import okhttp3.ConnectionPool;
import okhttp3.EventListener;
import okhttp3.Handshake;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import rpcbench.stack.Call;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Wire;

/** An OkHttp client with a pool of its own, of as many sockets as there are slots. */
final class OkHttpConn implements Conn {
  private final Info info;
  private final DialConfig config;
  private final OkHttpClient client;
  private final HttpUrl root;

  /** keys are null for plaintext. */
  OkHttpConn(Info info, DialConfig config, Keys keys) throws GeneralSecurityException {
    this.info = info;
    this.config = config;
    client = client(config, keys);
    root = HttpUrl.get((keys == null ? "http://" : "https://") + config.address());
  }

  /** Calls are cancelled from outside, so that OkHttp needs no timeouts. */
  private static OkHttpClient client(DialConfig config, Keys keys) throws GeneralSecurityException {
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .protocols(List.of(Protocol.HTTP_1_1))
            .connectionPool(new ConnectionPool(config.inFlight(), 1, TimeUnit.HOURS))
            .proxy(Proxy.NO_PROXY)
            .retryOnConnectionFailure(false)
            .followRedirects(false)
            .fastFallback(false) // would open a second socket where a name has two addresses
            .connectTimeout(Duration.ZERO)
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO)
            .socketFactory(new CountedSockets(config.wire()));
    if (keys != null) {
      builder.sslSocketFactory(new TlsSockets(keys), keys.trustManager());
      builder.hostnameVerifier((host, session) -> true); // TlsSockets has had it checked
      builder.eventListener(new Handshakes(config.wire()));
    }
    return builder.build();
  }

  @Override
  public Caller caller(Call call, int slot) {
    Checks.call(info, call, slot, config.inFlight());
    Exchange<?> exchange = Exchange.of(call, slot);
    HttpUrl url = root.newBuilder().encodedPath(exchange.path()).build();
    return new OkHttpCaller(client, url, exchange, HttpJson.GZIP.equals(config.compression()));
  }

  @Override
  public void close() {
    client.dispatcher().cancelAll();
    client.connectionPool().evictAll();
  }

  /** Tells when a handshake is done. */
  private static final class Handshakes extends EventListener {
    private final Wire wire;

    Handshakes(Wire wire) {
      this.wire = wire;
    }

    @Override
    public void secureConnectEnd(okhttp3.Call call, Handshake handshake) {
      wire.secured();
    }
  }

  private static final class CountedSockets extends SocketFactory {
    private final Wire wire;

    CountedSockets(Wire wire) {
      this.wire = wire;
    }

    @Override
    public Socket createSocket() {
      return new CountedSocket(wire);
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException("OkHttp connects its sockets");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
      return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      return createSocket(host.getHostAddress(), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
      return createSocket(host, port);
    }
  }
}
