package rpcbench.codec;

import com.alibaba.fastjson2.annotation.JSONField;
import java.util.List;
import java.util.Map;

/**
 * The messages as a program with JSON declares them, with the schemas' shapes and names. JSON has every field, including zeros,
 * and enumerations as numbers, as in the original. Public because libraries bind to them.
 */
public final class Plain {
  private Plain() {}

  /**
   * Returns the fields of a record by their JSON names in camel case, in order. Returns null for anything but a record, and if
   * records have no components.
   */
  public static Map<String, Object> fields(Object message) {
    return message instanceof Record && RecordFields.PRESENT ? RecordFields.of(message) : null;
  }

  public record SmallRequest(String name) {}

  public record AddressBook(List<Person> people) {}

  public record Person(String name, int id, String email, List<PhoneNumber> phones) {}

  public record PhoneNumber(String number, int type) {}

  public record FriendsList(List<Profile> profiles) {}

  public record Profile(int id, String name, String about, boolean gender, List<Post> posts) {}

  public record Post(
      @JSONField(name = "owner_id") int ownerId, String content, List<Reaction> reactions, List<Comment> comments) {}

  public record Reaction(@JSONField(name = "owner_id") int ownerId, int type) {}

  public record Comment(@JSONField(name = "owner_id") int ownerId, String text) {}

  public record Things(Attributes attributes, List<Thing1> things) {}

  public record Thing1(Attributes attributes, List<Thing2> things) {}

  public record Thing2(Attributes attributes, int value, List<Thing3> things) {}

  public record Thing3(Attributes attributes) {}

  public record Attributes(
      int int1,
      int int2,
      int int3,
      float float1,
      float float2,
      float float3,
      String string1,
      String string2,
      String string3,
      boolean bool1,
      boolean bool2,
      boolean bool3,
      double double1,
      double double2,
      double double3) {}
}
