package rpcbench.httpjson;

import java.net.MalformedURLException;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import rpcbench.stack.Call;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;

/** The Callers of HttpURLConnection, each with a socket of its own. */
final class UrlConnectionConn implements Conn {
  private final Info info;
  private final DialConfig config;
  private final boolean fixedLength;
  private final TlsSockets tls; // null is plaintext
  private final URL root;
  private final List<UrlConnectionCaller> callers = new ArrayList<>(); // under its own lock

  /** keys are null for plaintext. */
  UrlConnectionConn(Info info, DialConfig config, Keys keys, boolean fixedLength)
      throws GeneralSecurityException, MalformedURLException {
    this.info = info;
    this.config = config;
    this.fixedLength = fixedLength;
    tls = keys == null ? null : new TlsSockets(keys);
    root = new URL("https://" + config.address()); // plaintext too; see UnencryptedSocket
  }

  @Override
  public Caller caller(Call call, int slot) {
    Checks.call(info, call, slot, config.inFlight());
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
      return new URL(root, path);
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e); // of a path of ours, at an address that was read already
    }
  }

  @Override
  public void close() {
    synchronized (callers) {
      callers.forEach(UrlConnectionCaller::close);
    }
  }
}
