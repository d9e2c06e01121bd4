package rpcbench.codec;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The messages by their names in worker.v1, from small to large. Sizes are those of protobuf: least, median, most. */
enum Contents {
  /** 3, 18, 32 B. */
  SMALL("small", g -> Content.of(g.smallRequest())),
  /** 70, 540, 1,140 B. */
  ADDRESS_BOOK("address-book", g -> Content.of(g.addressBook())),
  /** 0.4, 180, 400 kB. */
  NEWSFEED("newsfeed", g -> Content.of(g.friendsList())),
  /** 0.7, 34, 98 kB. */
  LARGE("large", g -> Content.of(g.randomThings())),
  /** 41 kB. */
  LARGE_DENSE("large-dense", g -> Content.of(g.fixedThings(60))),
  /** 17 kB. */
  LARGE_SPARSE("large-sparse", g -> Content.of(g.fixedThings(10)));

  private final String label;
  private final Function<Generator, Content> make;

  Contents(String label, Function<Generator, Content> make) {
    this.label = label;
    this.make = make;
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(c -> c.label).toList();
  }

  /** Makes the message of a label that {@link #labels} has. All 64 bits of the seed count. */
  static Content make(String label, long seed) {
    for (Contents contents : values()) {
      if (contents.label.equals(label)) {
        return contents.make.apply(new Generator(seed));
      }
    }
    throw new IllegalArgumentException("there is no message " + label);
  }
}
