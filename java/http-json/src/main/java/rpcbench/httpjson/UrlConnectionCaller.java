package rpcbench.httpjson;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Proxy;
import java.net.URL;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import rpcbench.http.Body;
import rpcbench.http.Exchange;
import rpcbench.http.HttpJson;
import rpcbench.http.UnaryCaller;

/** Makes one slot's calls with HttpURLConnection. */
final class UrlConnectionCaller extends UnaryCaller {
  private final URL url;
  private final Supplier<SlotSockets> fresh;
  private final boolean fixedLength;
  private SlotSockets sockets; // this and the fields below are guarded by this object
  private HttpsURLConnection last; // null before the first call
  private boolean closed;

  UrlConnectionCaller(
      URL url, Supplier<SlotSockets> fresh, Exchange<?> exchange, boolean gzip, boolean fixedLength) {
    super(exchange, gzip);
    this.url = url;
    this.fresh = fresh;
    this.fixedLength = fixedLength;
    sockets = fresh.get();
  }

  @Override
  protected Answer post(byte[] body) throws IOException {
    HttpsURLConnection http = open();
    if (fixedLength) {
      http.setFixedLengthStreamingMode(body.length);
    }
    try (OutputStream out = http.getOutputStream()) {
      out.write(body);
    }
    int status = http.getResponseCode();
    // Reads the body to its end and closes it; otherwise the connection would not be kept.
    try (InputStream in = status < 400 ? http.getInputStream() : http.getErrorStream()) {
      byte[] text = in == null ? new byte[0] : Body.read(in, http.getContentLengthLong(), readBytesMax());
      return new Answer(status, http.getContentEncoding(), text);
    }
  }

  private HttpsURLConnection open() throws IOException {
    HttpsURLConnection http = (HttpsURLConnection) url.openConnection(Proxy.NO_PROXY);
    http.setRequestMethod("POST");
    http.setDoOutput(true);
    http.setUseCaches(false);
    http.setInstanceFollowRedirects(false);
    http.setRequestProperty("Content-Type", HttpJson.CONTENT_TYPE);
    if (gzip()) {
      http.setRequestProperty("Content-Encoding", HttpJson.GZIP);
      http.setRequestProperty("Accept-Encoding", HttpJson.GZIP);
    }
    begin(http);
    return http;
  }

  private synchronized void begin(HttpsURLConnection http) throws IOException {
    if (isCancelled() || closed) {
      throw new IOException("the call was cancelled before it was sent");
    }
    if (sockets.isDead()) {
      forget();
      sockets = fresh.get();
    }
    http.setSSLSocketFactory(sockets);
    last = http;
  }

  @Override
  protected void abort() {
    sockets.kill();
  }

  synchronized void close() {
    closed = true;
    if (!isRunning()) {
      forget();
    }
    sockets.kill();
  }

  /** Removes the slot's idle connection, dead or not, from the JVM's pool, which would keep it for an hour. */
  private void forget() {
    if (last != null) {
      last.disconnect();
      last = null;
    }
  }
}
