package rpcbench.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;

/** A message of BatchService in protobuf's JSON form; a class for the same reason as {@link Messages}. */
final class Batch {
  static final Answers<Batch> ANSWERS =
      Answers.batch(
          message -> message.operations,
          operation -> operation.id,
          operation -> operation.bytes().length,
          operation -> ByteBuffer.wrap(operation.bytes()));

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public List<Operation> operations = List.of();

  @JsonInclude(JsonInclude.Include.NON_DEFAULT)
  public long responseBytes; // 32 bits, unsigned; in a request: of each answer's payload

  /** An operation, or its answer. */
  @JsonPropertyOrder({"id", "payload"})
  static final class Operation {
    private long id;

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public byte[] payload; // in base64

    Operation() {}

    Operation(long id, byte[] payload) {
      this.id = id;
      this.payload = payload;
    }

    /** A string, because not every language's JSON numbers hold 64 bits; null for 0, which protobuf leaves out. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public String getId() {
      return id == 0 ? null : Long.toUnsignedString(id);
    }

    public void setId(String text) {
      id = Long.parseUnsignedLong(text);
    }

    /** Returns the payload's bytes, none if there is no payload. */
    byte[] bytes() {
      return payload == null ? Messages.NOTHING : payload;
    }
  }

  /** Makes a request whose operations have consecutive ids, starting at first. */
  static Batch request(Call call, long first) {
    Batch batch = new Batch();
    batch.responseBytes = call.responseBytes();
    batch.operations = new ArrayList<>(call.batch());
    for (int i = 0; i < call.batch(); i++) {
      batch.operations.add(new Operation(first + i, call.request()));
    }
    return batch;
  }
}
