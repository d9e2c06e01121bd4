package rpcbench.codec;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.json.JSONObject;

/**
 * JSON by org.json, as programs use it: the message is converted by hand to a tree, which is printed; and a parsed tree is
 * converted back by hand. The original measured only printing and parsing.
 */
final class OrgJson implements Codec.Operations {
  private static final Map<Class<?>, Function<JSONObject, Record>> READERS =
      Map.of(
          Plain.SmallRequest.class, TreeReader::smallRequest,
          Plain.AddressBook.class, TreeReader::addressBook,
          Plain.FriendsList.class, TreeReader::friendsList,
          Plain.Things.class, TreeReader::things);

  private final Record message;
  private final Function<JSONObject, Record> read;

  OrgJson(Content content) {
    message = content.plain();
    read = READERS.get(message.getClass());
  }

  @Override
  public Object object() {
    return message;
  }

  @Override
  public byte[] encode() {
    return tree(message).toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Object decode(byte[] encoded) {
    return read.apply(new JSONObject(new String(encoded, StandardCharsets.UTF_8)));
  }

  private static JSONObject tree(Record message) {
    if (message instanceof Plain.SmallRequest m) {
      return TreeWriter.of(m);
    } else if (message instanceof Plain.AddressBook m) {
      return TreeWriter.of(m);
    } else if (message instanceof Plain.FriendsList m) {
      return TreeWriter.of(m);
    }
    return TreeWriter.of((Plain.Things) message);
  }
}
