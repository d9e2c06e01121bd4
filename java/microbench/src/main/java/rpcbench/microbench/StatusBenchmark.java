package rpcbench.microbench;

import io.grpc.InternalMetadata;
import io.grpc.InternalStatus;
import io.grpc.Metadata;
import io.grpc.Status;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A status is sent as two trailers: its code in digits, and its message, percent-encoded unless it is plain ASCII. Encoding is a
 * put into empty metadata and decoding a get, as in servers and clients. {@code put} and {@code get} are the cost of these alone,
 * with bytes that need no coding.
 */
public class StatusBenchmark extends CostBenchmark {
  private static final String PLAIN = "the connection was reset by the peer";
  private static final String ESCAPED = "two lines:\nthe second is at 100 % of 5 µs";
  private static final Metadata.Key<byte[]> BYTES_KEY = InternalMetadata.keyOf("bytes", new Uncoded());

  private final byte[] bytes = {'1', '5'};
  private final Metadata plain = metadata(InternalStatus.MESSAGE_KEY, PLAIN);
  private final Metadata escaped = metadata(InternalStatus.MESSAGE_KEY, ESCAPED);
  private final Metadata code = metadata(InternalStatus.CODE_KEY, Status.DATA_LOSS);
  private final Metadata uncoded = metadata(BYTES_KEY, bytes);

  @Benchmark
  public Metadata messageEncodePlain() {
    return metadata(InternalStatus.MESSAGE_KEY, PLAIN);
  }

  @Benchmark
  public Metadata messageEncodeEscape() {
    return metadata(InternalStatus.MESSAGE_KEY, ESCAPED);
  }

  @Benchmark
  public String messageDecodePlain() {
    return plain.get(InternalStatus.MESSAGE_KEY);
  }

  @Benchmark
  public String messageDecodeEscape() {
    return escaped.get(InternalStatus.MESSAGE_KEY);
  }

  @Benchmark
  public Metadata codeEncode() {
    return metadata(InternalStatus.CODE_KEY, Status.DATA_LOSS);
  }

  @Benchmark
  public Status codeDecode() {
    return code.get(InternalStatus.CODE_KEY);
  }

  @Benchmark
  public Metadata put() {
    return metadata(BYTES_KEY, bytes);
  }

  @Benchmark
  public byte[] get() {
    return uncoded.get(BYTES_KEY);
  }

  private static <T> Metadata metadata(Metadata.Key<T> key, T value) {
    Metadata metadata = new Metadata();
    metadata.put(key, value);
    return metadata;
  }

  /** Passes bytes unchanged. */
  private static final class Uncoded implements InternalMetadata.TrustedAsciiMarshaller<byte[]> {
    @Override
    public byte[] toAsciiString(byte[] value) {
      return value;
    }

    @Override
    public byte[] parseAsciiString(byte[] serialized) {
      return serialized;
    }
  }
}
