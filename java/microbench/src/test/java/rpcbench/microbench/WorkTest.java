package rpcbench.microbench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.infra.Blackhole;

/** The benchmarks do what their names say. */
final class WorkTest {
  @Test
  void acceptEncodingIsTheSameCachedAndNot() {
    DecompressorRegistryBenchmark benchmark = new DecompressorRegistryBenchmark();
    benchmark.extraEncodings = 2;
    benchmark.register();

    List<String> headers = texts(benchmark.marshalOld());

    assertEquals(List.of("grpc-accept-encoding", "gzip,x-encoding-1,x-encoding-2"), headers);
    assertEquals(headers, texts(benchmark.marshalUncached()));
  }

  @Test
  void statusMessageIsEscapedWhereItMustBe() {
    StatusBenchmark benchmark = new StatusBenchmark();

    assertEquals(
        List.of("grpc-message", "the connection was reset by the peer"), wire(benchmark.messageEncodePlain()));
    assertEquals(
        List.of("grpc-message", "two lines:%0Athe second is at 100 %25 of 5 %C2%B5s"),
        wire(benchmark.messageEncodeEscape()));
    assertEquals("the connection was reset by the peer", benchmark.messageDecodePlain());
    assertEquals("two lines:\nthe second is at 100 % of 5 µs", benchmark.messageDecodeEscape());
  }

  @Test
  void statusCodeIsDigits() {
    StatusBenchmark benchmark = new StatusBenchmark();

    assertEquals(List.of("grpc-status", "15"), wire(benchmark.codeEncode()));
    assertEquals(Status.Code.DATA_LOSS, benchmark.codeDecode().getCode());
    assertEquals(List.of("bytes", "15"), wire(benchmark.put()));
    assertArrayEquals(new byte[] {'1', '5'}, benchmark.get());
  }

  @Test
  void metadataReadIsMetadataSentTimeAfterTime() {
    MetadataBenchmark benchmark = new MetadataBenchmark();
    benchmark.headers = 20;
    benchmark.fill();
    Blackhole sink = sink();
    List<String> sent = texts(benchmark.serialize());

    assertEquals(2 * 20, sent.size());
    assertEquals(24, sent.get(1).length());
    assertEquals("x-header-20-bin", sent.get(38));
    assertEquals(32, texts(benchmark.toHttp2Headers()).get(39).length()); // 24 bytes in base64
    assertEquals(sent, wire(benchmark.read(sink)));
    assertEquals(sent, wire(benchmark.read(sink)));
    assertEquals(sent, wire(benchmark.build()));
  }

  @ParameterizedTest
  @EnumSource
  void messageParsedIsMessageMarshalled(MarshallingBenchmark.Kind kind) throws IOException {
    MarshallingBenchmark benchmark = new MarshallingBenchmark();
    benchmark.message = kind;
    benchmark.payloadBytes = 1024;
    benchmark.fill();

    assertEquals(benchmark.build(), benchmark.parse());
    assertEquals(benchmark.build().getSerializedSize(), benchmark.marshal());
    assertEquals(
        kind == MarshallingBenchmark.Kind.REQUEST ? SimpleRequest.class : SimpleResponse.class,
        benchmark.parse().getClass());
  }

  @ParameterizedTest
  @EnumSource(names = {"INPROCESS", "NETTY", "NETTY_LOCAL", "OKHTTP"})
  void unaryCallBringsKilobyte(Transport transport) throws Exception {
    TransportBenchmark benchmark = new TransportBenchmark();
    benchmark.transport = transport;
    benchmark.direct = true;
    benchmark.open();
    try {
      assertEquals(1024, benchmark.unaryCall1024().length);
    } finally {
      benchmark.close();
    }
  }

  private static List<String> wire(Metadata metadata) {
    return texts(InternalMetadata.serialize(metadata));
  }

  private static List<String> texts(byte[][] namesAndValues) {
    return Arrays.stream(namesAndValues).map(b -> new String(b, StandardCharsets.ISO_8859_1)).toList();
  }

  private static Blackhole sink() {
    return new Blackhole("Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");
  }
}
