package rpcbench.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.json.JSONArray;
import org.json.JSONObject;

/** Converts org.json's trees to messages by hand, with methods that both implementations have. */
final class TreeReader {
  private TreeReader() {}

  static Plain.SmallRequest smallRequest(JSONObject tree) {
    return new Plain.SmallRequest(tree.getString("name"));
  }

  static Plain.AddressBook addressBook(JSONObject tree) {
    return new Plain.AddressBook(list(tree.getJSONArray("people"), TreeReader::person));
  }

  private static Plain.Person person(JSONObject tree) {
    return new Plain.Person(
        tree.getString("name"),
        tree.getInt("id"),
        tree.getString("email"),
        list(tree.getJSONArray("phones"), TreeReader::phoneNumber));
  }

  private static Plain.PhoneNumber phoneNumber(JSONObject tree) {
    return new Plain.PhoneNumber(tree.getString("number"), tree.getInt("type"));
  }

  static Plain.FriendsList friendsList(JSONObject tree) {
    return new Plain.FriendsList(list(tree.getJSONArray("profiles"), TreeReader::profile));
  }

  private static Plain.Profile profile(JSONObject tree) {
    return new Plain.Profile(
        tree.getInt("id"),
        tree.getString("name"),
        tree.getString("about"),
        tree.getBoolean("gender"),
        list(tree.getJSONArray("posts"), TreeReader::post));
  }

  private static Plain.Post post(JSONObject tree) {
    return new Plain.Post(
        tree.getInt("owner_id"),
        tree.getString("content"),
        list(tree.getJSONArray("reactions"), TreeReader::reaction),
        list(tree.getJSONArray("comments"), TreeReader::comment));
  }

  private static Plain.Reaction reaction(JSONObject tree) {
    return new Plain.Reaction(tree.getInt("owner_id"), tree.getInt("type"));
  }

  private static Plain.Comment comment(JSONObject tree) {
    return new Plain.Comment(tree.getInt("owner_id"), tree.getString("text"));
  }

  static Plain.Things things(JSONObject tree) {
    return new Plain.Things(attributes(tree), list(tree.getJSONArray("things"), TreeReader::thing1));
  }

  private static Plain.Thing1 thing1(JSONObject tree) {
    return new Plain.Thing1(attributes(tree), list(tree.getJSONArray("things"), TreeReader::thing2));
  }

  private static Plain.Thing2 thing2(JSONObject tree) {
    return new Plain.Thing2(
        attributes(tree), tree.getInt("value"), list(tree.getJSONArray("things"), TreeReader::thing3));
  }

  private static Plain.Thing3 thing3(JSONObject tree) {
    return new Plain.Thing3(attributes(tree));
  }

  /** Returns the attributes of a thing. */
  private static Plain.Attributes attributes(JSONObject thing) {
    JSONObject tree = thing.getJSONObject("attributes");
    return new Plain.Attributes(
        tree.getInt("int1"),
        tree.getInt("int2"),
        tree.getInt("int3"),
        (float) tree.getDouble("float1"),
        (float) tree.getDouble("float2"),
        (float) tree.getDouble("float3"),
        tree.getString("string1"),
        tree.getString("string2"),
        tree.getString("string3"),
        tree.getBoolean("bool1"),
        tree.getBoolean("bool2"),
        tree.getBoolean("bool3"),
        tree.getDouble("double1"),
        tree.getDouble("double2"),
        tree.getDouble("double3"));
  }

  private static <T> List<T> list(JSONArray array, Function<JSONObject, T> one) {
    List<T> list = new ArrayList<>(array.length());
    for (int i = 0; i < array.length(); i++) {
      list.add(one.apply(array.getJSONObject(i)));
    }
    return list;
  }
}
