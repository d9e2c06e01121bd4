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

  /** A response. The body is as it was on the wire. */
  public record Answer(int status, String encoding, byte[] body) {}

  /** Sends the body and returns the answer, with at most {@link #readBytesMax} bytes of its body. */
  protected abstract Answer post(byte[] body) throws IOException;

  protected final boolean gzip() {
    return gzip;
  }

  /** Returns how many bytes of an answer's body are read: one more than it may have. */
  protected final int readBytesMax() {
    return exchange.maxBytes() + 1;
  }

  @Override
  protected final void perform() throws CallException, IOException {
    byte[] text = exchange.begin();
    Answer answer = post(gzip ? Gzip.pack(text) : text);
    if (answer.status() != 200) {
      throw new CallException(
          HttpJson.code(answer.status()), "HTTP status " + answer.status() + ": " + beginning(answer));
    }
    exchange.end(bounded(unpack(answer)));
  }

  private byte[] unpack(Answer answer) throws CallException {
    byte[] body = bounded(answer.body());
    try {
      return Body.unpack(body, answer.encoding(), readBytesMax());
    } catch (IOException e) {
      throw new CallException(Code.INTERNAL, "the reply is not valid gzip: " + e.getMessage(), e);
    }
  }

  private byte[] bounded(byte[] body) throws CallException {
    if (body.length > exchange.maxBytes()) {
      throw new CallException(Code.RESOURCE_EXHAUSTED, "a body of more than " + exchange.maxBytes() + " bytes");
    }
    return body;
  }

  private static String beginning(Answer answer) {
    byte[] text;
    try {
      text = Body.unpack(answer.body(), answer.encoding(), REASON_BYTES_MAX);
    } catch (IOException e) {
      return "a body that is not gzip";
    }
    return new String(text, 0, Math.min(text.length, REASON_BYTES_MAX), StandardCharsets.UTF_8);
  }

  @Override
  public final void late() {
    exchange.late();
  }

  @Override
  public final CallException after() {
    return exchange.verify();
  }
}
