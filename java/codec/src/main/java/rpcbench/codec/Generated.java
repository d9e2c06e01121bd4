package rpcbench.codec;

import java.util.List;
import java.util.function.Function;
import rpcbench.codec.v1.AddressBook;
import rpcbench.codec.v1.Attributes;
import rpcbench.codec.v1.Comment;
import rpcbench.codec.v1.FriendsList;
import rpcbench.codec.v1.Person;
import rpcbench.codec.v1.PhoneNumber;
import rpcbench.codec.v1.Post;
import rpcbench.codec.v1.Profile;
import rpcbench.codec.v1.Reaction;
import rpcbench.codec.v1.SmallRequest;
import rpcbench.codec.v1.Thing1;
import rpcbench.codec.v1.Thing2;
import rpcbench.codec.v1.Thing3;
import rpcbench.codec.v1.Things;

/** The same contents as protobuf's generated classes. */
final class Generated {
  private Generated() {}

  static SmallRequest of(Plain.SmallRequest m) {
    return SmallRequest.newBuilder().setName(m.name()).build();
  }

  static AddressBook of(Plain.AddressBook m) {
    return AddressBook.newBuilder().addAllPeople(all(m.people(), Generated::of)).build();
  }

  private static Person of(Plain.Person m) {
    return Person.newBuilder()
        .setName(m.name())
        .setId(m.id())
        .setEmail(m.email())
        .addAllPhones(all(m.phones(), Generated::of))
        .build();
  }

  private static PhoneNumber of(Plain.PhoneNumber m) {
    return PhoneNumber.newBuilder().setNumber(m.number()).setTypeValue(m.type()).build();
  }

  static FriendsList of(Plain.FriendsList m) {
    return FriendsList.newBuilder().addAllProfiles(all(m.profiles(), Generated::of)).build();
  }

  private static Profile of(Plain.Profile m) {
    return Profile.newBuilder()
        .setId(m.id())
        .setName(m.name())
        .setAbout(m.about())
        .setGender(m.gender())
        .addAllPosts(all(m.posts(), Generated::of))
        .build();
  }

  private static Post of(Plain.Post m) {
    return Post.newBuilder()
        .setOwnerId(m.ownerId())
        .setContent(m.content())
        .addAllReactions(all(m.reactions(), Generated::of))
        .addAllComments(all(m.comments(), Generated::of))
        .build();
  }

  private static Reaction of(Plain.Reaction m) {
    return Reaction.newBuilder().setOwnerId(m.ownerId()).setTypeValue(m.type()).build();
  }

  private static Comment of(Plain.Comment m) {
    return Comment.newBuilder().setOwnerId(m.ownerId()).setText(m.text()).build();
  }

  static Things of(Plain.Things m) {
    return Things.newBuilder()
        .setAttributes(of(m.attributes()))
        .addAllThings(all(m.things(), Generated::of))
        .build();
  }

  private static Thing1 of(Plain.Thing1 m) {
    return Thing1.newBuilder()
        .setAttributes(of(m.attributes()))
        .addAllThings(all(m.things(), Generated::of))
        .build();
  }

  private static Thing2 of(Plain.Thing2 m) {
    return Thing2.newBuilder()
        .setAttributes(of(m.attributes()))
        .setValueValue(m.value())
        .addAllThings(all(m.things(), Generated::of))
        .build();
  }

  private static Thing3 of(Plain.Thing3 m) {
    return Thing3.newBuilder().setAttributes(of(m.attributes())).build();
  }

  private static Attributes of(Plain.Attributes m) {
    return Attributes.newBuilder()
        .setInt1(m.int1())
        .setInt2(m.int2())
        .setInt3(m.int3())
        .setFloat1(m.float1())
        .setFloat2(m.float2())
        .setFloat3(m.float3())
        .setString1(m.string1())
        .setString2(m.string2())
        .setString3(m.string3())
        .setBool1(m.bool1())
        .setBool2(m.bool2())
        .setBool3(m.bool3())
        .setDouble1(m.double1())
        .setDouble2(m.double2())
        .setDouble3(m.double3())
        .build();
  }

  private static <T, G> List<G> all(List<T> list, Function<T, G> one) {
    return list.stream().map(one).toList();
  }
}
