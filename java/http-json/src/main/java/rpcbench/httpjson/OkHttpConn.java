package rpcbench.httpjson;

import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.EventListener;
import okhttp3.Handshake;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import rpcbench.credential.Keys;
import rpcbench.http.Exchange;
import rpcbench.http.HttpJson;
import rpcbench.socket.CountedSockets;
import rpcbench.stack.Address;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.OptionValues;
import rpcbench.stack.Wire;

/** An OkHttp client with a pool of one socket per slot. */
final class OkHttpConn implements Conn {
  private final DialConfig config;
  private final boolean retry;
  private final OkHttpClient client;
  private final HttpUrl root;

  /** Creates the client; keys are null for plaintext. */
  OkHttpConn(DialConfig config, Keys keys) throws CallException {
    this.config = config;
    retry = new OptionValues(config.options()).flag(OkHttpStack.RETRY);
    client = client(config, keys, retry);
    Address address = Address.parse(config.address());
    root = new HttpUrl.Builder()
        .scheme(keys == null ? "http" : "https").host(address.called()).port(address.port()).build();
  }

  /** Calls are canceled by the load, so OkHttp needs no timeouts. */
  private static OkHttpClient client(DialConfig config, Keys keys, boolean retry) {
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .protocols(List.of(Protocol.HTTP_1_1))
            .connectionPool(new ConnectionPool(config.inFlight(), 1, TimeUnit.HOURS))
            .proxy(Proxy.NO_PROXY)
            .retryOnConnectionFailure(retry)
            .followRedirects(false)
            .fastFallback(false) // would open a second socket if a name has two addresses
            .connectTimeout(Duration.ZERO)
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO)
            .socketFactory(new CountedSockets(config.wire()));
    if (keys != null) {
      builder.sslSocketFactory(new TlsSockets(keys), keys.trustManager());
      builder.hostnameVerifier((host, session) -> true); // TlsSockets verifies the name
      builder.eventListener(new Handshakes(config.wire()));
    }
    return builder.build();
  }

  @Override
  public Caller caller(Call call, int slot) {
    Exchange<?> exchange = Exchange.of(call, slot);
    HttpUrl url = root.newBuilder().encodedPath(exchange.path()).build();
    return new OkHttpCaller(client, url, exchange, HttpJson.GZIP.equals(config.compression()), retry);
  }

  @Override
  public void close() {
    client.dispatcher().cancelAll();
    client.connectionPool().evictAll();
  }

  /** Reports the end of TLS handshakes. */
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
}
