package rpcbench.payload;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes payloads. The function is described at Go's {@code stack.Payload}, and internal/stack/testdata/payload.json
 * pins examples: words are the outputs of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
 * Generators", 2014), which is SplittableRandom; random payloads are those words in little-endian bytes, json payloads are a line of text a word.
 */
public final class Payload {
  private static final List<String> KINDS = List.of("random", "json", "zeros");
  private static final String[] NAMES = {"Ada", "Barbara", "Edsger", "Grace", "Kurt", "Leslie", "Niklaus", "Tony"};
  private static final String[] CITIES = {"Athens", "Berlin", "Cairo", "Lima", "Nairobi", "Oslo", "Porto", "Quito"};

  private Payload() {}

  /** The kinds that {@link #of} knows. */
  public static List<String> kinds() {
    return KINDS;
  }

  /**
   * Returns n bytes that depend only on kind and seed.
   *
   * @param seed all 64 bits count, unsigned
   * @throws IllegalArgumentException if kind is not one of {@link #kinds}
   */
  public static byte[] of(String kind, long seed, int n) {
    return switch (kind) {
      case "random" -> random(seed, n);
      case "json" -> json(seed, n);
      case "zeros" -> new byte[n];
      default -> throw new IllegalArgumentException("\"" + kind + "\" is not a payload kind");
    };
  }

  private static byte[] random(long seed, int n) {
    ByteBuffer words = ByteBuffer.allocate((n + 7) / 8 * 8).order(ByteOrder.LITTLE_ENDIAN);
    SplittableRandom random = new SplittableRandom(seed);
    while (words.hasRemaining()) {
      words.putLong(random.nextLong());
    }
    return Arrays.copyOf(words.array(), n);
  }

  private static byte[] json(long seed, int n) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream(n + 128); // a line has at most 85 bytes
    SplittableRandom random = new SplittableRandom(seed);
    while (lines.size() < n) {
      byte[] line = line(random.nextLong()).getBytes(StandardCharsets.US_ASCII);
      lines.write(line, 0, line.length);
    }
    return Arrays.copyOf(lines.toByteArray(), n);
  }

  private static String line(long w) {
    long cents = (w >>> 56) % 100;
    return "{\"id\":" + Long.remainderUnsigned(w, 1_000_000)
        + ",\"name\":\"" + NAMES[(int) (w >>> 32 & 7)]
        + "\",\"city\":\"" + CITIES[(int) (w >>> 35 & 7)]
        + "\",\"active\":" + ((w >>> 38 & 1) == 1)
        + ",\"balance\":" + (w >>> 40) % 10_000
        + (cents < 10 ? ".0" : ".") + cents + "}\n";
  }
}
