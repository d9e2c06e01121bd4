package rpcbench.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.ByteBuffer;
import rpcbench.stack.Answers;

/**
 * The used part of BenchmarkService's messages in protobuf's JSON form. They are classes because Jackson does not support records
 * on Android.
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

  /** Returns the payload's bytes, none if there is no payload. */
  static byte[] bytes(Payload payload) {
    return payload == null || payload.body == null ? NOTHING : payload.body;
  }
}
