package rpcbench.codec;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The messages by their names in worker.v1, from small to large. Sizes are those of protobuf: minimum, median, maximum. */
public enum Contents {
  /** 3, 18, 32 B. */
  SMALL("small", Generator::smallRequest),
  /** 70, 540, 1,140 B. */
  ADDRESS_BOOK("address-book", Generator::addressBook),
  /** 0.4, 180, 400 kB. */
  NEWSFEED("newsfeed", Generator::friendsList),
  /** 0.7, 34, 98 kB. */
  LARGE("large", Generator::randomThings),
  /** 41 kB. */
  LARGE_DENSE("large-dense", g -> g.fixedThings(60)),
  /** 17 kB. */
  LARGE_SPARSE("large-sparse", g -> g.fixedThings(10));

  private final String label;
  private final Function<Generator, Record> make;

  Contents(String label, Function<Generator, Record> make) {
    this.label = label;
    this.make = make;
  }

  public static List<String> labels() {
    return Arrays.stream(values()).map(c -> c.label).collect(Collectors.toList());
  }

  /** Returns the message of one of {@link #labels}. All 64 bits of the seed count. */
  public static Content make(String label, long seed) {
    for (Contents contents : values()) {
      if (contents.label.equals(label)) {
        return new Content(contents.make.apply(new Generator(seed)));
      }
    }
    throw new IllegalArgumentException("there is no message " + label);
  }
}
