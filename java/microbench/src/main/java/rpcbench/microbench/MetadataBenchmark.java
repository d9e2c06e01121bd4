package rpcbench.microbench;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.grpc.internal.TransportFrameUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Request metadata on its way from a program to HTTP/2 headers and back. One of five keys is binary, which HTTP/2 carries in
 * base64; values have 24 bytes.
 */
public class MetadataBenchmark extends CostBenchmark {
  private static final int VALUE_BYTES = 24;
  private static final int BINARY_EVERY = 5;

  /** The number of keys. */
  @Param({"5", "20"})
  public int headers;

  private final List<Entry<?>> entries = new ArrayList<>();
  private Metadata metadata;
  private byte[][] received;

  @Setup(Level.Trial)
  public void fill() {
    Random random = new Random(1);
    for (int i = 1; i <= headers; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      entries.add(i % BINARY_EVERY == 0 ? binary(i, value) : ascii(i, value));
    }
    metadata = build();
    received = TransportFrameUtil.toHttp2Headers(metadata);
  }

  /** The program's part: creates metadata and puts all keys. */
  @Benchmark
  public Metadata build() {
    Metadata built = new Metadata();
    for (Entry<?> entry : entries) {
      entry.put(built);
    }
    return built;
  }

  /** Converts metadata to the bytes of names and values, alternately; binary values are unchanged. */
  @Benchmark
  public byte[][] serialize() {
    return InternalMetadata.serialize(metadata);
  }

  /** Converts metadata to HTTP/2 headers: checked, with binary values in base64. */
  @Benchmark
  public byte[][] toHttp2Headers() {
    return TransportFrameUtil.toHttp2Headers(metadata);
  }

  /** Converts HTTP/2 headers to metadata, and gets every key. */
  @Benchmark
  public Metadata read(Blackhole sink) {
    // The outer array is decoded in place.
    Metadata read = InternalMetadata.newMetadata(TransportFrameUtil.toRawSerializedHeaders(received.clone()));
    for (Entry<?> entry : entries) {
      sink.consume(read.get(entry.key()));
    }
    return read;
  }

  private static Entry<byte[]> binary(int number, byte[] value) {
    return new Entry<>(Metadata.Key.of("x-header-" + number + "-bin", Metadata.BINARY_BYTE_MARSHALLER), value);
  }

  private static Entry<String> ascii(int number, byte[] value) {
    StringBuilder letters = new StringBuilder();
    for (byte b : value) {
      letters.append((char) ('a' + Math.floorMod(b, 26)));
    }
    return new Entry<>(Metadata.Key.of("x-header-" + number, Metadata.ASCII_STRING_MARSHALLER), letters.toString());
  }

  private record Entry<T>(Metadata.Key<T> key, T value) {
    void put(Metadata metadata) {
      metadata.put(key, value);
    }
  }
}
