package rpcbench.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import rpcbench.payload.Gzip;
import rpcbench.stack.BlockingCaller;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

/** Posts requests and decodes the answers. */
public abstract class UnaryCaller extends BlockingCaller {
  private static final int REASON_BYTES_MAX = 200;

  private final Exchange<?> exchange;
  private final boolean gzip;

  protected UnaryCaller(Exchange<?> exchange, boolean gzip) {
    this.exchange = exchange;
    this.gzip = gzip;
  }

  /** What came back. The body is as it was on the wire. */
  public record Answer(int status, String encoding, byte[] body) {}

  /** Sends the body and returns the whole answer. */
  protected abstract Answer post(byte[] body) throws IOException;

  protected final boolean gzip() {
    return gzip;
  }

  @Override
  protected final void perform() throws CallException, IOException {
    byte[] text = exchange.begin();
    Answer answer = post(gzip ? Gzip.pack(text) : text);
    byte[] body = unpack(answer);
    if (answer.status() != 200) {
      throw new CallException(
          HttpJson.code(answer.status()), "HTTP status " + answer.status() + ": " + beginning(body));
    }
    exchange.end(body);
  }

  private static byte[] unpack(Answer answer) throws CallException {
    try {
      return Body.unpack(answer.body(), answer.encoding(), HttpJson.BODY_BYTES_MAX);
    } catch (IOException e) {
      throw new CallException(Code.INTERNAL, "the reply is no gzip: " + e.getMessage(), e);
    }
  }

  private static String beginning(byte[] text) {
    return new String(text, 0, Math.min(text.length, REASON_BYTES_MAX), StandardCharsets.UTF_8);
  }

  @Override
  public final CallException after() {
    return exchange.verify();
  }
}
