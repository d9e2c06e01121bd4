package rpcbench.codec.lite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.GeneratedMessageLite;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.codec.Codec;
import rpcbench.codec.Contents;
import rpcbench.codec.Protobuf;
import rpcbench.codec.Samples;
import rpcbench.codec.v1.Things;

class LiteTest {
  private static final Map<String, Codec> CODECS = Protobuf.codecs(new Lite());

  static Stream<String> codecs() {
    return CODECS.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void nothingIsLostAndTheBytesAreThoseOfEveryStack(String codec) throws Exception {
    assertEquals(Contents.labels().size(), Samples.check(CODECS.get(codec)));
  }

  @Test
  void messagesAreLite() {
    Object made = CODECS.get("protobuf-bytes").bind(Contents.make("large", 1)).object();
    assertTrue(made instanceof GeneratedMessageLite<?, ?>, made.getClass().getName());
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void anEncodingComputesAllSizesAnew(String codec) throws Exception {
    Codec.Operations operations = CODECS.get(codec).bind(Contents.make("large-sparse", 1));
    byte[] want = operations.encode();
    Things things = (Things) operations.object();
    GeneratedMessageLite<?, ?> inner = things.getThings(4).getThings(3).getThings(2).getAttributes();
    Field remembered = GeneratedMessageLite.class.getDeclaredField("memoizedSerializedSize");
    remembered.setAccessible(true);
    assertEquals(inner.getSerializedSize(), remembered.getInt(inner));
    remembered.setInt(inner, 7); // wrong if it were used
    remembered.setInt(things, 7);
    assertArrayEquals(want, operations.encode());
  }

  /** The classes that run are in protobuf-java's jar, which the worker needs for worker.v1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "AbstractMessageLite", "AbstractParser", "ArrayDecoders", "ByteString", "CodedInputStream", "CodedInputStreamReader",
        "CodedOutputStream", "CodedOutputStreamWriter", "GeneratedMessageLite", "Internal", "MessageSchema", "Protobuf",
        "ProtobufArrayList", "RawMessageInfo", "SchemaUtil", "UnsafeUtil", "Utf8", "UnknownFieldSetLite"
      })
  void theClassesThatRunAreThoseOfProtobufJavalite(String name) throws Exception {
    String file = "com/google/protobuf/" + name + ".class";
    List<URL> found = Collections.list(getClass().getClassLoader().getResources(file));
    assertEquals(2, found.size(), found.toString());
    assertTrue(found.toString().contains("javalite"), found.toString());
    assertArrayEquals(read(found.get(0)), read(found.get(1)), name);
  }

  private static byte[] read(URL url) throws Exception {
    try (InputStream in = url.openStream()) {
      return in.readAllBytes();
    }
  }
}
