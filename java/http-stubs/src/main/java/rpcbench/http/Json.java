package rpcbench.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Objects;

/** Encodes and decodes messages with Jackson. Unknown fields are skipped, as in protobuf. */
final class Json {
  /** Without Jackson's own limit, which is 20 MB for a payload. The length of a body is checked before it is read. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(FACTORY)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final ObjectReader REQUESTS = MAPPER.readerFor(Messages.SimpleRequest.class);
  private static final ObjectReader RESPONSES = MAPPER.readerFor(Messages.SimpleResponse.class);
  private static final ObjectReader BATCHES = MAPPER.readerFor(Batch.class);
  private static final ObjectWriter WRITER = MAPPER.writer();

  private Json() {}

  static byte[] encode(Object message) throws JsonProcessingException {
    return WRITER.writeValueAsBytes(message);
  }

  static Messages.SimpleRequest request(byte[] text) throws IOException {
    return present(REQUESTS.readValue(text));
  }

  static Messages.SimpleResponse response(byte[] text) throws IOException {
    return present(RESPONSES.readValue(text));
  }

  static Batch batch(byte[] text) throws IOException {
    Batch batch = present(BATCHES.readValue(text));
    if (batch.operations == null || batch.operations.stream().anyMatch(Objects::isNull)) {
      throw new IOException("an operation is null");
    }
    return batch;
  }

  private static <M> M present(M message) throws IOException {
    if (message == null) {
      throw new IOException("the message is null");
    }
    return message;
  }
}
