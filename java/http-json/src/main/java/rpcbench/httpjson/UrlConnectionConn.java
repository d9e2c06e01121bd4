package rpcbench.httpjson;

import java.net.MalformedURLException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import rpcbench.credential.Keys;
import rpcbench.http.Exchange;
import rpcbench.http.HttpJson;
import rpcbench.stack.Address;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;

/** Creates Callers on HttpURLConnection, each with its own socket. */
final class UrlConnectionConn implements Conn {
  private final DialConfig config;
  private final boolean fixedLength;
  private final TlsSockets tls; // null for plaintext
  private final List<UrlConnectionCaller> callers = new ArrayList<>(); // guarded by itself

  /** Creates the connection; keys are null for plaintext. */
  UrlConnectionConn(DialConfig config, Keys keys, boolean fixedLength) throws CallException {
    Address.parse(config.address()); // refuses an address that can't be part of a URL
    this.config = config;
    this.fixedLength = fixedLength;
    tls = keys == null ? null : new TlsSockets(keys);
  }

  @Override
  public Caller caller(Call call, int slot) {
    Exchange<?> exchange = Exchange.of(call, slot);
    UrlConnectionCaller caller =
        new UrlConnectionCaller(
            at(exchange.path()),
            () -> new SlotSockets(config.wire(), tls),
            exchange,
            HttpJson.GZIP.equals(config.compression()),
            fixedLength);
    synchronized (callers) {
      callers.add(caller);
    }
    return caller;
  }

  private URL at(String path) {
    try {
      return new URL("https://" + config.address() + path); // also for plaintext; see UnencryptedSocket
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {
    synchronized (callers) {
      callers.forEach(UrlConnectionCaller::close);
    }
  }
}
