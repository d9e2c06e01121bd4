package rpcbench.httpjson;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import rpcbench.http.HttpJson;
import rpcbench.http.Refusal;
import rpcbench.http.Services;
import rpcbench.stack.ServeConfig;

/** Answers calls. It blocks while it reads the request, as most handlers do. */
final class UnaryHandler extends Handler.Abstract {
  private final ServeConfig.Authorize authorize; // null: every client is authorized
  private final Services services;
  private final Phaser calls = new Phaser(1); // calls being answered, plus one for awaitIdle

  UnaryHandler(ServeConfig config) {
    this.authorize = config.authorize();
    this.services = new Services(config.reply(), config.limits(), config.store());
  }

  /** Waits until no call is being answered, for at most ns nanoseconds. It may be called once. */
  void awaitIdle(long ns) throws InterruptedException {
    try {
      calls.awaitAdvanceInterruptibly(calls.arriveAndDeregister(), ns, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // The calls that remain have had their time.
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    calls.register();
    Callback end = Callback.from(callback, calls::arriveAndDeregister);
    try {
      answer(request, response, end);
    } catch (Throwable e) { // the client has closed the connection, or its request can't be read
      end.failed(e);
    }
    return true;
  }

  private void answer(Request request, Response response, Callback end) throws IOException {
    try {
      checkClient(request);
      Services.Service service = services.at(request.getHttpURI().getPath(), request.getMethod());
      String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
      byte[] reply = answer(service, request, encoding);
      if (HttpJson.GZIP.equalsIgnoreCase(encoding)) {
        response.getHeaders().put(HttpHeader.CONTENT_ENCODING, HttpJson.GZIP);
      }
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, HttpJson.CONTENT_TYPE);
      response.write(true, ByteBuffer.wrap(reply), end);
    } catch (Refusal e) {
      refuse(request, response, end, e);
    }
  }

  private void checkClient(Request request) throws Refusal {
    if (authorize == null) {
      return;
    }
    EndPoint.SslSessionData tls =
        request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
    String refusal = authorize.refusalOf(tls == null ? null : tls.sslSession());
    if (refusal != null) {
      throw new Refusal(403, refusal);
    }
  }

  /** Leaves the stream open, because closing it would fail a refused request, the rest of which is still to be read. */
  private byte[] answer(Services.Service service, Request request, String encoding) throws IOException, Refusal {
    InputStream in = Content.Source.asInputStream(request);
    return services.answer(service, in, request.getLength(), encoding);
  }

  /** Answers with an error. It reads the whole request first, or its sender might never read the answer. */
  private static void refuse(Request request, Response response, Callback end, Refusal refusal)
      throws IOException {
    Content.Source.asInputStream(request).skip(HttpJson.BODY_BYTES_MAX);
    response.setStatus(refusal.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
    if (refusal.status() == 405) {
      response.getHeaders().put(HttpHeader.ALLOW, HttpMethod.POST.asString());
    }
    Content.Sink.write(response, true, refusal.getMessage(), end);
  }
}
