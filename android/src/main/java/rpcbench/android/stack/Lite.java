package rpcbench.android.stack;

import com.google.protobuf.GeneratedMessageLite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import rpcbench.codec.Plain;
import rpcbench.codec.Protobuf;
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

/** Protobuf's lite classes, filled without reflection on records, which Android before version 14 lacks. */
final class Lite implements Protobuf.Form {
  private final List<GeneratedMessageLite<?, ?>> made = new ArrayList<>(); // of the message that is made


  @Override
  public Protobuf.Made make(Record plain) {
    made.clear();
    GeneratedMessageLite<?, ?> message;
    if (plain instanceof Plain.SmallRequest m) {
      message = of(m);
    } else if (plain instanceof Plain.AddressBook m) {
      message = of(m);
    } else if (plain instanceof Plain.FriendsList m) {
      message = of(m);
    } else {
      message = of((Plain.Things) plain);
    }
    return new Protobuf.Made(message, new LiteSizes(made)::forget);
  }

  /** Lite messages do not tell their fields. */
  @Override
  public Map<String, Object> fields(Object message) {
    return null;
  }

  private <M extends GeneratedMessageLite<?, ?>> M kept(M message) {
    made.add(message);
    return message;
  }

  private SmallRequest of(Plain.SmallRequest m) {
    return kept(SmallRequest.newBuilder().setName(m.name()).build());
  }

  private AddressBook of(Plain.AddressBook m) {
    AddressBook.Builder builder = AddressBook.newBuilder();
    m.people().forEach(person -> builder.addPeople(of(person)));
    return kept(builder.build());
  }

  private Person of(Plain.Person m) {
    Person.Builder builder = Person.newBuilder().setName(m.name()).setId(m.id()).setEmail(m.email());
    m.phones().forEach(phone -> builder.addPhones(kept(PhoneNumber.newBuilder().setNumber(phone.number()).setTypeValue(phone.type()).build())));
    return kept(builder.build());
  }

  private FriendsList of(Plain.FriendsList m) {
    FriendsList.Builder builder = FriendsList.newBuilder();
    m.profiles().forEach(profile -> builder.addProfiles(of(profile)));
    return kept(builder.build());
  }

  private Profile of(Plain.Profile m) {
    Profile.Builder builder =
        Profile.newBuilder().setId(m.id()).setName(m.name()).setAbout(m.about()).setGender(m.gender());
    m.posts().forEach(post -> builder.addPosts(of(post)));
    return kept(builder.build());
  }

  private Post of(Plain.Post m) {
    Post.Builder builder = Post.newBuilder().setOwnerId(m.ownerId()).setContent(m.content());
    m.reactions().forEach(r -> builder.addReactions(kept(Reaction.newBuilder().setOwnerId(r.ownerId()).setTypeValue(r.type()).build())));
    m.comments().forEach(c -> builder.addComments(kept(Comment.newBuilder().setOwnerId(c.ownerId()).setText(c.text()).build())));
    return kept(builder.build());
  }

  private Things of(Plain.Things m) {
    Things.Builder builder = Things.newBuilder().setAttributes(of(m.attributes()));
    m.things().forEach(thing -> builder.addThings(of(thing)));
    return kept(builder.build());
  }

  private Thing1 of(Plain.Thing1 m) {
    Thing1.Builder builder = Thing1.newBuilder().setAttributes(of(m.attributes()));
    m.things().forEach(thing -> builder.addThings(of(thing)));
    return kept(builder.build());
  }

  private Thing2 of(Plain.Thing2 m) {
    Thing2.Builder builder = Thing2.newBuilder().setAttributes(of(m.attributes())).setValueValue(m.value());
    m.things().forEach(thing -> builder.addThings(kept(Thing3.newBuilder().setAttributes(of(thing.attributes())).build())));
    return kept(builder.build());
  }

  private Attributes of(Plain.Attributes m) {
    return kept(Attributes.newBuilder()
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
        .build());
  }
}
