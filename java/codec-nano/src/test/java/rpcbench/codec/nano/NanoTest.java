package rpcbench.codec.nano;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.nano.MessageNano;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rpcbench.codec.Codec;
import rpcbench.codec.CodecCaller;
import rpcbench.codec.Contents;
import rpcbench.codec.Samples;
import rpcbench.codec.v1.nano.AddressBook;

class NanoTest {
  private static final Codec CODEC = Main.codecs().get("protobuf-bytes");

  @Test
  void nothingIsLostAndTheBytesAreThoseOfEveryStack() throws Exception {
    assertEquals(Contents.labels().size(), Samples.check(CODEC));
  }

  @Test
  void messagesAreNano() {
    assertTrue(CODEC.bind(Contents.make("large", 1)).object() instanceof MessageNano);
    assertTrue(Main.stack().info().library().endsWith("protobuf-javanano 3.1.0"), Main.stack().info().library());
  }

  @Test
  void theFirstFieldThatIsLostIsNamed() {
    Codec.Operations whole = CODEC.bind(Contents.make("address-book", 1));
    int id = ((AddressBook) whole.object()).people[0].id;
    Codec.Operations losing =
        new Codec.Operations() {
          @Override
          public Object object() {
            return whole.object();
          }

          @Override
          public byte[] encode() throws Exception {
            return whole.encode();
          }

          @Override
          public Object decode(byte[] encoded) throws Exception {
            AddressBook book = (AddressBook) whole.decode(encoded);
            book.people[0].id = 7;
            return book;
          }

          @Override
          public Map<String, Object> fields(Object message) {
            return whole.fields(message);
          }
        };
    Exception lost = assertThrows(IllegalStateException.class, () -> CodecCaller.checked(losing));
    assertTrue(lost.getMessage().endsWith("people[0].id is 7, not " + id), lost.getMessage());
  }
}
