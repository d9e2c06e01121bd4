package rpcbench.codec;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.Stack;

/** A stack with the kinds encode and decode. */
public final class CodecStack implements Stack {
  private final Info info;
  private final Map<String, Codec> codecs;
  private final LongSupplier now;

  CodecStack(String name, String library, Map<String, Codec> codecs, LongSupplier now) {
    this.codecs = codecs;
    this.now = now;
    info =
        new Info(
            name,
            "codec",
            library,
            false,
            true,
            List.of(Kind.ENCODE, Kind.DECODE),
            List.of(),
            List.of(),
            List.of(),
            false,
            List.of(),
            Contents.labels(),
            codecs.keySet().stream().sorted().collect(Collectors.toList()),
            false);
  }

  /** Returns a stack of these codecs, by their names. */
  public static CodecStack of(String name, String library, Map<String, Codec> codecs) {
    return new CodecStack(name, library, codecs, System::nanoTime);
  }

  /** Returns all codecs on the classpath's org.json. */
  public static Map<String, Codec> orgJson() {
    return Map.of("json", OrgJson::new, "json-gzip", Gzipped.of(OrgJson::new));
  }

  @Override
  public Info info() {
    return info;
  }

  /** Opens nothing. */
  @Override
  public Conn dial(DialConfig config) {
    return new CodecConn(codecs, now);
  }
}
