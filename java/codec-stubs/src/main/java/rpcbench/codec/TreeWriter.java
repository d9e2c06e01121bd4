package rpcbench.codec;

import java.util.List;
import java.util.function.Function;
import org.json.JSONArray;
import org.json.JSONObject;

/** Converts messages to org.json's trees by hand, with methods that both implementations have. */
final class TreeWriter {
  private TreeWriter() {}

  static JSONObject of(Plain.SmallRequest m) {
    return new JSONObject().put("name", m.name());
  }

  static JSONObject of(Plain.AddressBook m) {
    return new JSONObject().put("people", array(m.people(), TreeWriter::person));
  }

  private static JSONObject person(Plain.Person m) {
    return new JSONObject()
        .put("name", m.name())
        .put("id", m.id())
        .put("email", m.email())
        .put("phones", array(m.phones(), TreeWriter::phoneNumber));
  }

  private static JSONObject phoneNumber(Plain.PhoneNumber m) {
    return new JSONObject().put("number", m.number()).put("type", m.type());
  }

  static JSONObject of(Plain.FriendsList m) {
    return new JSONObject().put("profiles", array(m.profiles(), TreeWriter::profile));
  }

  private static JSONObject profile(Plain.Profile m) {
    return new JSONObject()
        .put("id", m.id())
        .put("name", m.name())
        .put("about", m.about())
        .put("gender", m.gender())
        .put("posts", array(m.posts(), TreeWriter::post));
  }

  private static JSONObject post(Plain.Post m) {
    return new JSONObject()
        .put("owner_id", m.ownerId())
        .put("content", m.content())
        .put("reactions", array(m.reactions(), TreeWriter::reaction))
        .put("comments", array(m.comments(), TreeWriter::comment));
  }

  private static JSONObject reaction(Plain.Reaction m) {
    return new JSONObject().put("owner_id", m.ownerId()).put("type", m.type());
  }

  private static JSONObject comment(Plain.Comment m) {
    return new JSONObject().put("owner_id", m.ownerId()).put("text", m.text());
  }

  static JSONObject of(Plain.Things m) {
    return new JSONObject()
        .put("attributes", attributes(m.attributes()))
        .put("things", array(m.things(), TreeWriter::thing1));
  }

  private static JSONObject thing1(Plain.Thing1 m) {
    return new JSONObject()
        .put("attributes", attributes(m.attributes()))
        .put("things", array(m.things(), TreeWriter::thing2));
  }

  private static JSONObject thing2(Plain.Thing2 m) {
    return new JSONObject()
        .put("attributes", attributes(m.attributes()))
        .put("value", m.value())
        .put("things", array(m.things(), TreeWriter::thing3));
  }

  private static JSONObject thing3(Plain.Thing3 m) {
    return new JSONObject().put("attributes", attributes(m.attributes()));
  }

  /** Puts a float as an Object: Android has no method for floats, and a double would be printed with 17 digits. */
  private static JSONObject attributes(Plain.Attributes m) {
    return new JSONObject()
        .put("int1", m.int1())
        .put("int2", m.int2())
        .put("int3", m.int3())
        .put("float1", (Object) m.float1())
        .put("float2", (Object) m.float2())
        .put("float3", (Object) m.float3())
        .put("string1", m.string1())
        .put("string2", m.string2())
        .put("string3", m.string3())
        .put("bool1", m.bool1())
        .put("bool2", m.bool2())
        .put("bool3", m.bool3())
        .put("double1", m.double1())
        .put("double2", m.double2())
        .put("double3", m.double3());
  }

  private static <T> JSONArray array(List<T> list, Function<T, JSONObject> one) {
    JSONArray array = new JSONArray();
    for (T element : list) {
      array.put(one.apply(element));
    }
    return array;
  }
}
