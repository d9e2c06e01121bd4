package rpcbench.httpjson;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

/** Posts a SimpleRequest and decodes the SimpleResponse. */
abstract class UnaryCaller extends BlockingCaller {
  private static final int REASON_BYTES_MAX = 200;

  private final Call call;
  private final boolean gzip;
  private final Messages.SimpleRequest request;
  private byte[] reply; // null while there is none

  UnaryCaller(Call call, boolean gzip) {
    this.call = call;
    this.gzip = gzip;
    request = new Messages.SimpleRequest(call.responseBytes(), call.request());
  }

  /** What came back. The body is as it was on the wire. */
  record Answer(int status, String encoding, byte[] body) {}

  /** Sends the body and returns the whole answer. */
  abstract Answer post(byte[] body) throws IOException;

  final boolean gzip() {
    return gzip;
  }

  @Override
  final void perform() throws CallException, IOException {
    reply = null;
    byte[] text = Json.encode(request);
    Answer answer = post(gzip ? Body.pack(text) : text);
    byte[] body = unpack(answer);
    if (answer.status() != 200) {
      throw new CallException(
          HttpJson.code(answer.status()), "HTTP status " + answer.status() + ": " + beginning(body));
    }
    reply = decode(body);
  }

  private static byte[] unpack(Answer answer) throws CallException {
    try {
      return Body.unpack(answer.body(), answer.encoding());
    } catch (IOException e) {
      throw new CallException(Code.INTERNAL, "the reply is no gzip: " + e.getMessage(), e);
    }
  }

  private static byte[] decode(byte[] body) throws CallException {
    try {
      return Messages.bytes(Json.response(body).payload);
    } catch (IOException e) {
      throw new CallException(Code.INTERNAL, "the reply is no SimpleResponse: " + e.getMessage(), e);
    }
  }

  private static String beginning(byte[] text) {
    return new String(text, 0, Math.min(text.length, REASON_BYTES_MAX), StandardCharsets.UTF_8);
  }

  @Override
  public final CallException after() {
    if (reply == null) {
      return null;
    }
    String wrong = wrong(reply);
    return wrong == null ? null : new CallException(Code.MISMATCH, wrong);
  }

  private String wrong(byte[] payload) {
    if (payload.length != call.responseBytes()) {
      return "the reply has " + payload.length + " bytes, " + call.responseBytes() + " were asked for";
    }
    return call.check() == null ? null : call.check().wrong(payload);
  }
}
