package rpcbench.microbench;

import io.grpc.Decompressor;
import io.grpc.DecompressorRegistry;
import io.grpc.InternalDecompressorRegistry;
import io.grpc.Metadata;
import io.grpc.internal.GrpcUtil;
import io.grpc.internal.TransportFrameUtil;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Every call declares the encodings that its client can read, in {@code grpc-accept-encoding}. A registry keeps that header's
 * bytes, so a call only copies a reference. Sampled, to include percentiles.
 */
@BenchmarkMode(Mode.SampleTime)
public class DecompressorRegistryBenchmark extends CostBenchmark {
  /** The number of advertised encodings besides grpc-java's own, gzip. */
  @Param({"0", "1", "2"})
  public int extraEncodings;

  private DecompressorRegistry registry;

  @Setup(Level.Trial)
  public void register() {
    registry = DecompressorRegistry.getDefaultInstance();
    for (int i = 1; i <= extraEncodings; i++) {
      registry = registry.with(new Unread("x-encoding-" + i), true);
    }
  }

  /** The header as a transport sends it. The name is that of grpc-java's benchmark of 2017. */
  @Benchmark
  public byte[][] marshalOld() {
    return headers(InternalDecompressorRegistry.getRawAdvertisedMessageEncodings(registry));
  }

  /** The same without the registry's cache: names are joined in every call. */
  @Benchmark
  public byte[][] marshalUncached() {
    String names = String.join(",", registry.getAdvertisedMessageEncodings());
    return headers(names.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[][] headers(byte[] encodings) {
    Metadata metadata = new Metadata();
    metadata.put(GrpcUtil.MESSAGE_ACCEPT_ENCODING_KEY, encodings);
    return TransportFrameUtil.toHttp2Headers(metadata);
  }

  /** An encoding that is advertised but never used. */
  private record Unread(String name) implements Decompressor {
    @Override
    public String getMessageEncoding() {
      return name;
    }

    @Override
    public InputStream decompress(InputStream message) {
      throw new UnsupportedOperationException(name + " is never used");
    }
  }
}
