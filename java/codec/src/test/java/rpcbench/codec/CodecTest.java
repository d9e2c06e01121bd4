package rpcbench.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.AbstractMessage;
import com.google.protobuf.Message;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.json.JSONObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.codec.v1.Things;

class CodecTest {
  private static final Generated GENERATED = new Generated();

  static Stream<String> codecs() {
    return Main.codecs().keySet().stream();
  }

  private static Codec.Operations bind(String codec, String message, long seed) {
    return Main.codecs().get(codec).bind(Contents.make(message, seed));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void nothingIsLost(String codec) throws Exception {
    for (String message : Contents.labels()) {
      for (long seed = 0; seed < (message.equals("small") ? 200 : 12); seed++) {
        CodecCaller.checked(bind(codec, message, seed));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void everyEncodingIsNew(String codec) throws Exception {
    Codec.Operations operations = bind(codec, "address-book", 3);
    byte[] one = operations.encode();
    byte[] two = operations.encode();
    assertArrayEquals(one, two);
    assertNotSame(one, two);
  }

  @Test
  void protobufsThreeWaysWriteTheSame() throws Exception {
    byte[] want = bind("protobuf-bytes", "newsfeed", 4).encode();
    assertArrayEquals(want, bind("protobuf-coded", "newsfeed", 4).encode());
    assertArrayEquals(want, bind("protobuf-stream", "newsfeed", 4).encode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"protobuf-bytes", "protobuf-coded", "protobuf-stream"})
  void anEncodingComputesAllSizesAnew(String codec) throws Exception {
    Codec.Operations operations = bind(codec, "large-sparse", 1);
    byte[] want = operations.encode();
    Things things = (Things) operations.object();
    Message inner = things.getThings(4).getThings(3).getThings(2).getAttributes();
    Field remembered = AbstractMessage.class.getDeclaredField("memoizedSize");
    remembered.setAccessible(true);
    assertEquals(inner.getSerializedSize(), remembered.getInt(inner));
    remembered.setInt(inner, 7); // wrong if it were used
    remembered.setInt(things, 7);
    assertArrayEquals(want, operations.encode());
  }

  @Test
  void jsonHasEveryField() throws Exception {
    Plain.Attributes none = new Plain.Attributes(0, 0, 0, 0, 0, 0, "", "", "", false, false, false, 0, 0, 0);
    Plain.Things things =
        new Plain.Things(
            none, List.of(new Plain.Thing1(none, List.of(new Plain.Thing2(none, 0, List.of(new Plain.Thing3(none)))))));
    Content content = new Content(things);
    for (Codec codec : List.<Codec>of(OrgJson::new, FastJson::new)) {
      JSONObject json = new JSONObject(new String(codec.bind(content).encode()));
      assertEquals(15, json.getJSONObject("attributes").length());
      JSONObject thing2 = json.getJSONArray("things").getJSONObject(0).getJSONArray("things").getJSONObject(0);
      assertEquals(0, thing2.getInt("value"));
      assertEquals(15, thing2.getJSONArray("things").getJSONObject(0).getJSONObject("attributes").length());
    }
  }

  @Test
  void theFirstFieldThatIsLostIsNamed() {
    Plain.AddressBook book = (Plain.AddressBook) Contents.make("address-book", 1).plain();
    Plain.Person person = book.people().get(0);
    Plain.PhoneNumber phone = person.phones().get(0);
    Plain.Person otherId = new Plain.Person(person.name(), 7, person.email(), List.of());
    Plain.Person otherType =
        new Plain.Person(
            person.name(),
            person.id(),
            person.email(),
            replaced(person.phones(), new Plain.PhoneNumber(phone.number(), 9)));
    Map<String, Plain.AddressBook> spoiled =
        Map.of(
            "people[0].id is 7, not " + person.id(), new Plain.AddressBook(replaced(book.people(), otherId)),
            "people[0].phones[0].type is 9, not " + phone.type(),
                new Plain.AddressBook(replaced(book.people(), otherType)),
            "people has 0 elements, not " + book.people().size(), new Plain.AddressBook(List.of()));
    spoiled.forEach(
        (want, read) -> {
          Exception lost = assertThrows(IllegalStateException.class, () -> CodecCaller.checked(reading(book, read)));
          assertTrue(lost.getMessage().endsWith(want), lost.getMessage());
          assertEquals(
              "." + want.substring(0, want.indexOf(' ')),
              "." + Difference.of(generated(read), generated(book), GENERATED::fields).split(" ")[0]);
        });
    assertNull(Difference.of(generated(book), generated(book), GENERATED::fields));
  }

  private static Message generated(Plain.AddressBook book) {
    return Generated.of(book);
  }

  private static <T> List<T> replaced(List<T> list, T first) {
    List<T> replaced = new ArrayList<>(list);
    replaced.set(0, first);
    return replaced;
  }

  /** Returns a codec that reads something else than it wrote. */
  private static Codec.Operations reading(Record wrote, Record read) {
    return new Codec.Operations() {
      @Override
      public Object object() {
        return wrote;
      }

      @Override
      public byte[] encode() {
        return new byte[0];
      }

      @Override
      public Object decode(byte[] encoded) {
        return read;
      }
    };
  }
}
