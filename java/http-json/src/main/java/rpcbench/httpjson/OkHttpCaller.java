package rpcbench.httpjson;

import java.io.IOException;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import rpcbench.http.Body;
import rpcbench.http.Exchange;
import rpcbench.http.HttpJson;
import rpcbench.http.UnaryCaller;

/** Makes one slot's calls with OkHttp. */
final class OkHttpCaller extends UnaryCaller {
  private static final MediaType JSON = MediaType.get(HttpJson.CONTENT_TYPE);

  private final OkHttpClient client;
  private final HttpUrl url;
  private final boolean retry;
  private okhttp3.Call running; // guarded by this

  OkHttpCaller(OkHttpClient client, HttpUrl url, Exchange<?> exchange, boolean gzip, boolean retry) {
    super(exchange, gzip);
    this.client = client;
    this.url = url;
    this.retry = retry;
  }

  @Override
  protected Answer post(byte[] body) throws IOException {
    try (Response response = begun(request(body)).execute()) {
      byte[] text = Body.read(response.body().byteStream(), response.body().contentLength(), readBytesMax());
      return new Answer(response.code(), response.header("Content-Encoding"), text);
    }
  }

  /** Sets Accept-Encoding, because otherwise OkHttp would request gzip. */
  private Request request(byte[] body) {
    Request.Builder request = new Request.Builder().url(url);
    request.post(retry ? RequestBody.create(body, JSON) : new OnceBody(body, JSON));
    if (gzip()) {
      request.header("Content-Encoding", HttpJson.GZIP);
    }
    return request.header("Accept-Encoding", gzip() ? HttpJson.GZIP : "identity").build();
  }

  private synchronized okhttp3.Call begun(Request request) throws IOException {
    if (isCancelled()) {
      throw new IOException("the call was cancelled before it was sent");
    }
    running = client.newCall(request);
    return running;
  }

  @Override
  protected void abort() {
    if (running != null) {
      running.cancel();
    }
  }
}
