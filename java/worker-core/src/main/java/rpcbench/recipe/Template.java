package rpcbench.recipe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import rpcbench.stack.CallException;
import rpcbench.worker.v1.Worker.Encoding;
import rpcbench.worker.v1.Worker.Part;

/** Bytes with places for values. Safe for concurrent use. */
final class Template {
  /** Deeper than any message that the driver has read. */
  private static final int DEPTH_MAX = 200;

  private final List<Step> steps = new ArrayList<>();
  private byte[] constant; // null if calls differ

  /** Appends a part. */
  @FunctionalInterface
  private interface Step {
    void append(Bytes to, Draw draw) throws CallException;
  }

  /** Reads parts. Throws IllegalArgumentException if they are invalid. */
  static Template of(List<Part> parts) {
    Template made = of(parts, 0);
    made.constant = parts.stream().anyMatch(Template::varies) ? null : made.filled(new Draw(Draw.Seeds.NONE, 0, 0, 0, null));
    return made;
  }

  private static Template of(List<Part> parts, int depth) {
    if (depth > DEPTH_MAX) {
      throw new IllegalArgumentException("parts are deeper than " + DEPTH_MAX);
    }
    Template made = new Template();
    for (Part part : parts) {
      byte[] ready = part.getReady().toByteArray();
      made.steps.add((to, draw) -> to.add(ready));
      if (part.hasFunction()) {
        made.steps.add(value(part, Value.of(part.getFunction())));
      } else if (part.getBelowCount() > 0) {
        made.steps.add(of(part.getBelowList(), depth + 1).behindItsLength());
      }
    }
    return made;
  }

  private static boolean varies(Part part) {
    return part.hasFunction() || part.getBelowList().stream().anyMatch(Template::varies);
  }

  private Step behindItsLength() {
    return (to, draw) -> {
      int from = to.size();
      append(to, draw);
      to.insertLength(from);
    };
  }

  private static Step value(Part part, Value value) {
    int place = part.getFunction().getPlace();
    Encoding encoding = part.getEncoding();
    Step step = switch (encoding) {
      case ENCODING_TEXT -> value::text;
      case ENCODING_BYTES -> value.bytes()::accept;
      case UNRECOGNIZED -> throw new IllegalArgumentException("there is no encoding " + part.getEncodingValue());
      default -> number(part, value.number());
    };
    return (to, draw) -> {
      draw.begin(place);
      step.append(to, draw);
    };
  }

  private static Step number(Part part, ToLongFunction<Draw> number) {
    Encoding encoding = part.getEncoding();
    return (to, draw) -> number(to, encoding, within(part, number.applyAsLong(draw)));
  }

  private static long within(Part part, long v) throws CallException {
    if (v < part.getLeast() || v > part.getMost()) {
      throw CallException.invalid(
          "the request can't be made: " + part.getFunction().getName() + " gives " + v + ", and its field has "
              + part.getLeast() + " to " + part.getMost());
    }
    return v;
  }

  private static void number(Bytes to, Encoding encoding, long v) {
    switch (encoding) {
      case ENCODING_ZIGZAG -> to.varint(v << 1 ^ v >> 63);
      case ENCODING_FIXED32 -> to.fixed(v, Integer.BYTES);
      case ENCODING_FIXED64 -> to.fixed(v, Long.BYTES);
      default -> to.varint(v);
    }
  }

  private void append(Bytes to, Draw draw) throws CallException {
    for (Step step : steps) {
      step.append(to, draw);
    }
  }

  /** Returns the content in a draw; never write to it. */
  byte[] in(Draw draw) throws CallException {
    if (constant != null) {
      return constant;
    }
    Bytes made = new Bytes();
    append(made, draw);
    return made.taken();
  }

  private byte[] filled(Draw draw) {
    try {
      return in(draw);
    } catch (CallException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
