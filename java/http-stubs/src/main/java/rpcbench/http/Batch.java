package rpcbench.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import rpcbench.stack.Accesses;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;
import rpcbench.stack.Message;

/** A message of BatchService in protobuf's JSON form; a class for the same reason as {@link Messages}. */
final class Batch {
  /** Names of batchv1.Access. */
  static final String READ = "ACCESS_READ";

  static final String WRITE = "ACCESS_WRITE";

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
  @JsonPropertyOrder({"id", "payload", "access", "key"})
  static final class Operation {
    private long id;
    private long key;

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public byte[] payload; // in base64

    @JsonInclude(JsonInclude.Include.NON_NULL)
    public String access; // READ or WRITE; null is an echo

    Operation() {}

    Operation(long id, byte[] payload) {
      this.id = id;
      this.payload = payload;
    }

    /** Makes an operation that reads the value of a key, or replaces it if value is not null. */
    static Operation access(long id, long key, byte[] value) {
      Operation operation = new Operation(id, value);
      operation.key = key;
      operation.access = value == null ? READ : WRITE;
      return operation;
    }

    /** Turns the operation into its answer. */
    void answer(byte[] answer) {
      payload = answer;
      access = null;
      key = 0;
    }

    long key() {
      return key;
    }

    /** A string, because not every language's JSON numbers hold 64 bits; null for 0, which protobuf leaves out. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public String getId() {
      return text(id);
    }

    public void setId(String text) {
      id = Long.parseUnsignedLong(text);
    }

    /** The key of the record that it accesses, in the form of an id. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public String getKey() {
      return text(key);
    }

    public void setKey(String text) {
      key = Long.parseUnsignedLong(text);
    }

    private static String text(long number) {
      return number == 0 ? null : Long.toUnsignedString(number);
    }

    /** Returns the payload's bytes, none if there is no payload. */
    byte[] bytes() {
      return payload == null ? Messages.NOTHING : payload;
    }
  }

  /** Makes a request whose operations have consecutive ids, starting at the message's first. */
  static Batch request(Call call, Message message) {
    Batch batch = new Batch();
    batch.responseBytes = message.accesses() == null ? call.responseBytes() : 0;
    batch.operations = new ArrayList<>(call.batch());
    for (int i = 0; i < call.batch(); i++) {
      batch.operations.add(operation(call, message, i));
    }
    return batch;
  }

  private static Operation operation(Call call, Message message, int i) {
    Accesses accesses = message.accesses();
    if (accesses == null) {
      return new Operation(message.first() + i, call.request());
    }
    long key = accesses.key(message, i);
    byte[] value = accesses.writes(message, i) ? Accesses.value(call.request(), key) : null;
    return Operation.access(message.first() + i, key, value);
  }
}
