package rpcbench.recipe;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import rpcbench.worker.v1.Worker.Function;

/** A function's value for each call: a number, or text. */
interface Value {
  /** Appends it as text. */
  void text(Bytes to, Draw draw);

  /** Returns a source of the bytes of which the text is the base64. Throws IllegalArgumentException for any other text. */
  default BiConsumer<Bytes, Draw> bytes() {
    throw new IllegalArgumentException("only random_bytes are bytes");
  }

  /** Returns a source of the number. Throws IllegalArgumentException for text. */
  default ToLongFunction<Draw> number() {
    throw new IllegalArgumentException("text is not a number");
  }

  /** Makes a function's values. It throws IllegalArgumentException for an unknown function. */
  static Value of(Function f) {
    return switch (f.getName()) {
      case "sequence" -> sequence(argument(f, 0), argument(f, 1));
      case "message" -> number(draw -> draw.message);
      case "random" -> random(argument(f, 0), argument(f, 1));
      case "random_text" -> Texts.random(length(f));
      case "random_bytes" -> new RandomBytes(length(f));
      case "choose" -> Texts.choose(texts(f));
      case "column" -> column(f, false);
      case "sampled_column" -> column(f, true);
      case "uuid" -> Texts::uuid;
      case "call_uuid" -> Texts::callUuid;
      case "timestamp" -> (to, draw) -> to.ascii(Texts.timestamp(draw.now()));
      case "timestamp_s" -> number(draw -> draw.now().getEpochSecond());
      case "timestamp_ms" -> number(draw -> draw.now().toEpochMilli());
      case "timestamp_ns" -> number(draw -> nanos(draw.now()));
      default -> throw new IllegalArgumentException("there is no function " + f.getName());
    };
  }

  private static long argument(Function f, int i) {
    if (i >= f.getNumbersCount()) {
      throw new IllegalArgumentException(f.getName() + " has " + f.getNumbersCount() + " numbers");
    }
    return f.getNumbers(i);
  }

  private static int length(Function f) {
    long n = argument(f, 0);
    if (n < 0 || n > Texts.LENGTH_MAX) {
      throw new IllegalArgumentException(f.getName() + " has a length of " + n);
    }
    return (int) n;
  }

  private static List<byte[]> texts(Function f) {
    return f.getTextsList().stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).collect(Collectors.toList());
  }

  /** A column's value in the row of the call. */
  private static Value column(Function f, boolean sample) {
    if (f.getTextsCount() > 0) {
      List<byte[]> rows = texts(f);
      return (to, draw) -> to.add(rows.get(draw.pickRow(sample, rows.size())));
    }
    if (f.getNumbersCount() == 0) {
      throw new IllegalArgumentException(f.getName() + " has no rows");
    }
    long[] rows = f.getNumbersList().stream().mapToLong(Long::longValue).toArray();
    return number(draw -> rows[draw.pickRow(sample, rows.length)]);
  }

  private static Value sequence(long first, long step) {
    return number(draw -> first + draw.call * step);
  }

  private static Value random(long min, long max) {
    if (min > max) {
      throw new IllegalArgumentException("random has numbers from " + min + " to " + max);
    }
    long span = max - min + 1; // 0 is all numbers there are
    return number(draw -> span == 0 ? draw.next() : min + draw.below(span));
  }

  /** Wraps outside of the years 1678 to 2262, as Go's UnixNano does. */
  private static long nanos(Instant now) {
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  private static Value number(ToLongFunction<Draw> number) {
    return new Value() {
      @Override
      public void text(Bytes to, Draw draw) {
        to.ascii(Long.toString(number.applyAsLong(draw)));
      }

      @Override
      public ToLongFunction<Draw> number() {
        return number;
      }
    };
  }

  /** Random bytes, in base64 or themselves. */
  record RandomBytes(int length) implements Value {
    private static final int GROUP = 3;

    @Override
    public void text(Bytes to, Draw draw) {
      to.add(Base64.getEncoder().encode(drawn(draw)));
    }

    @Override
    public BiConsumer<Bytes, Draw> bytes() {
      return (to, draw) -> to.add(drawn(draw));
    }

    private byte[] drawn(Draw draw) {
      byte[] drawn = new byte[length];
      for (int from = 0; from < length; from += GROUP) {
        long bits = draw.next();
        for (int i = 0; i < Math.min(GROUP, length - from); i++) {
          drawn[from + i] = (byte) (bits >>> 56 - 8 * i);
        }
      }
      return drawn;
    }
  }

  /** Text values. */
  final class Texts {
    static final int LENGTH_MAX = 16 << 20;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private Texts() {}

    private static Value random(int length) {
      return (to, draw) -> {
        int n = length == 0 ? 2 + (int) draw.below(15) : length;
        for (int i = 0; i < n; i++) {
          to.add(LETTERS.charAt((int) draw.below(LETTERS.length())));
        }
      };
    }

    private static Value choose(List<byte[]> among) {
      if (among.isEmpty()) {
        throw new IllegalArgumentException("choose has nothing to choose from");
      }
      return (to, draw) -> to.add(among.get((int) draw.below(among.size())));
    }

    private static void callUuid(Bytes to, Draw draw) {
      draw.beginCall();
      uuid(to, draw);
    }

    /** RFC 9562, section 5.4. */
    private static void uuid(Bytes to, Draw draw) {
      draw.beginUuid();
      long[] halves = {draw.next(), draw.next()};
      for (int i = 0; i < 16; i++) {
        int one = (int) (halves[i / 8] >>> 8 * (i % 8)) & 0xFF;
        if (i == 6) {
          one = one & 0x0F | 0x40; // version 4
        } else if (i == 8) {
          one = one & 0x3F | 0x80; // variant
        }
        if (i == 4 || i == 6 || i == 8 || i == 10) {
          to.add('-');
        }
        to.add(DIGITS[one >> 4]);
        to.add(DIGITS[one & 0x0F]);
      }
    }

    /** With nine digits of a second's parts, always. */
    static String timestamp(Instant now) {
      String seconds = Instant.ofEpochSecond(now.getEpochSecond()).toString();
      String nanos = Long.toString(1_000_000_000L + now.getNano()).substring(1);
      return seconds.substring(0, seconds.length() - 1) + "." + nanos + "Z";
    }
  }
}
