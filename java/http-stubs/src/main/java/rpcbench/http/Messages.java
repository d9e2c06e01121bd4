package rpcbench.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.ByteBuffer;
import rpcbench.stack.Answers;

/**
 * The messages of BenchmarkService in protobuf's JSON form, as far as they are used. They are classes because Jackson
 * knows no records on Android.
 */
final class Messages {
  static final byte[] NOTHING = {};

  static final Answers<SimpleResponse> ANSWERS =
      Answers.single(message -> bytes(message.payload).length, message -> ByteBuffer.wrap(bytes(message.payload)));

  private Messages() {}

  static final class SimpleRequest {
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public int responseSize;

    @JsonInclude(JsonInclude.Include.NON_NULL)
    public Payload payload;

    SimpleRequest() {}

    SimpleRequest(int responseSize, byte[] body) {
      this.responseSize = responseSize;
      payload = new Payload(body);
    }
  }

  static final class SimpleResponse {
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public Payload payload;

    SimpleResponse() {}

    SimpleResponse(byte[] body) {
      payload = new Payload(body);
    }
  }

  static final class Payload {
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public byte[] body; // in base64

    Payload() {}

    Payload(byte[] body) {
      this.body = body;
    }
  }

  /** The bytes of a payload that may not be there. */
  static byte[] bytes(Payload payload) {
    return payload == null || payload.body == null ? NOTHING : payload.body;
  }
}
