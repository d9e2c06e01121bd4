package rpcbench.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Draws the fields of a message in the schema's order. A list draws its length first, and so does a text of variable length. */
final class Generator {
  private final Source source;

  Generator(long seed) {
    source = new Source(seed);
  }

  Plain.SmallRequest smallRequest() {
    return new Plain.SmallRequest(text(30));
  }

  Plain.AddressBook addressBook() {
    return new Plain.AddressBook(list(source.upTo(10), this::person));
  }

  private Plain.Person person() {
    return new Plain.Person(
        source.text(16), source.integer(), source.text(30), list(source.upTo(4), this::phoneNumber));
  }

  private Plain.PhoneNumber phoneNumber() {
    return new Plain.PhoneNumber(source.text(9), source.below(3));
  }

  Plain.FriendsList friendsList() {
    return new Plain.FriendsList(list(source.upTo(50), this::profile));
  }

  private Plain.Profile profile() {
    return new Plain.Profile(
        source.integer(), text(16), text(120), source.bool(), list(source.upTo(12), this::post));
  }

  private Plain.Post post() {
    return new Plain.Post(
        source.integer(), text(400), list(source.upTo(10), this::reaction), list(source.upTo(10), this::comment));
  }

  private Plain.Reaction reaction() {
    return new Plain.Reaction(source.integer(), source.below(5));
  }

  private Plain.Comment comment() {
    return new Plain.Comment(source.integer(), text(240));
  }

  /** Returns 1 to 10 things at each level, with texts of 1 to 60 characters. */
  Plain.Things randomThings() {
    return new Tree(() -> source.upTo(10), () -> source.upTo(60)).things();
  }

  /** Returns 5 things at each level, with texts of one length. */
  Plain.Things fixedThings(int length) {
    return new Tree(() -> 5, () -> length).things();
  }

  /** Draws things: how many there are at each level, and how long texts are. */
  private final class Tree {
    private final IntSupplier branches;
    private final IntSupplier length;

    Tree(IntSupplier branches, IntSupplier length) {
      this.branches = branches;
      this.length = length;
    }

    Plain.Things things() {
      return new Plain.Things(attributes(), list(branches.getAsInt(), this::thing1));
    }

    private Plain.Thing1 thing1() {
      return new Plain.Thing1(attributes(), list(branches.getAsInt(), this::thing2));
    }

    private Plain.Thing2 thing2() {
      return new Plain.Thing2(attributes(), source.below(6), list(branches.getAsInt(), this::thing3));
    }

    private Plain.Thing3 thing3() {
      return new Plain.Thing3(attributes());
    }

    private Plain.Attributes attributes() {
      return new Plain.Attributes(
          source.integer(),
          source.integer(),
          source.integer(),
          source.single(),
          source.single(),
          source.single(),
          source.text(length.getAsInt()),
          source.text(length.getAsInt()),
          source.text(length.getAsInt()),
          source.bool(),
          source.bool(),
          source.bool(),
          source.precise(),
          source.precise(),
          source.precise());
    }
  }

  /** Returns a text of 1 to maxLength characters. */
  private String text(int maxLength) {
    return source.text(source.upTo(maxLength));
  }

  private static <T> List<T> list(int length, Supplier<T> draw) {
    List<T> drawn = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      drawn.add(draw.get());
    }
    return drawn;
  }
}
