package rpcbench.codec;

import com.google.protobuf.Message;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import rpcbench.codec.v1.AddressBook;
import rpcbench.codec.v1.FriendsList;
import rpcbench.codec.v1.SmallRequest;
import rpcbench.codec.v1.Things;

/** The messages by their names in worker.v1, from small to large. Sizes are those of protobuf: least, median, most. */
enum Contents {
  /** 3, 18, 32 B. */
  SMALL("small", Generator::smallRequest, SmallRequest.getDefaultInstance()),
  /** 70, 540, 1,140 B. */
  ADDRESS_BOOK("address-book", Generator::addressBook, AddressBook.getDefaultInstance()),
  /** 0.4, 180, 400 kB. */
  NEWSFEED("newsfeed", Generator::friendsList, FriendsList.getDefaultInstance()),
  /** 0.7, 34, 98 kB. */
  LARGE("large", Generator::randomThings, Things.getDefaultInstance()),
  /** 41 kB. */
  LARGE_DENSE("large-dense", g -> g.fixedThings(60), Things.getDefaultInstance()),
  /** 17 kB. */
  LARGE_SPARSE("large-sparse", g -> g.fixedThings(10), Things.getDefaultInstance());

  private final String label;
  private final Function<Generator, Record> make;
  private final Message empty;

  Contents(String label, Function<Generator, Record> make, Message empty) {
    this.label = label;
    this.make = make;
    this.empty = empty;
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(c -> c.label).toList();
  }

  /** Makes the message of a label that {@link #labels} has. All 64 bits of the seed count. */
  static Content make(String label, long seed) {
    for (Contents contents : values()) {
      if (contents.label.equals(label)) {
        Record plain = contents.make.apply(new Generator(seed));
        return new Content(plain, Generated.of(plain, contents.empty));
      }
    }
    throw new IllegalArgumentException("there is no message " + label);
  }
}
