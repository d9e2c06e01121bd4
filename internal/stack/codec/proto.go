package codec

import "rpcbench/internal/stack/codec/codecv1"

// The same contents as protobuf's generated structs.

func all[From, To any](list []From, one func(From) *To) []*To {
	made := make([]*To, len(list))
	for i := range list {
		made[i] = one(list[i])
	}
	return made
}

func (m *smallRequest) proto() *codecv1.SmallRequest { return &codecv1.SmallRequest{Name: m.Name} }

func (m *addressBook) proto() *codecv1.AddressBook {
	return &codecv1.AddressBook{People: all(m.People, person.proto)}
}

func (m person) proto() *codecv1.Person {
	return &codecv1.Person{Name: m.Name, Id: m.ID, Email: m.Email, Phones: all(m.Phones, phoneNumber.proto)}
}

func (m phoneNumber) proto() *codecv1.PhoneNumber {
	return &codecv1.PhoneNumber{Number: m.Number, Type: codecv1.PhoneType(m.Type)}
}

func (m *friendsList) proto() *codecv1.FriendsList {
	return &codecv1.FriendsList{Profiles: all(m.Profiles, profile.proto)}
}

func (m profile) proto() *codecv1.Profile {
	return &codecv1.Profile{
		Id: m.ID, Name: m.Name, About: m.About, Gender: m.Gender, Posts: all(m.Posts, post.proto),
	}
}

func (m post) proto() *codecv1.Post {
	return &codecv1.Post{
		OwnerId: m.OwnerID, Content: m.Content,
		Reactions: all(m.Reactions, reaction.proto), Comments: all(m.Comments, comment.proto),
	}
}

func (m reaction) proto() *codecv1.Reaction {
	return &codecv1.Reaction{OwnerId: m.OwnerID, Type: codecv1.ReactionType(m.Type)}
}

func (m comment) proto() *codecv1.Comment {
	return &codecv1.Comment{OwnerId: m.OwnerID, Text: m.Text}
}

func (m *things) proto() *codecv1.Things {
	return &codecv1.Things{Attributes: m.Attributes.proto(), Things: all(m.Things, thing1.proto)}
}

func (m thing1) proto() *codecv1.Thing1 {
	return &codecv1.Thing1{Attributes: m.Attributes.proto(), Things: all(m.Things, thing2.proto)}
}

func (m thing2) proto() *codecv1.Thing2 {
	return &codecv1.Thing2{
		Attributes: m.Attributes.proto(), Value: codecv1.Value(m.Value), Things: all(m.Things, thing3.proto),
	}
}

func (m thing3) proto() *codecv1.Thing3 { return &codecv1.Thing3{Attributes: m.Attributes.proto()} }

func (m attributes) proto() *codecv1.Attributes {
	return &codecv1.Attributes{
		Int1: m.Int1, Int2: m.Int2, Int3: m.Int3,
		Float1: m.Float1, Float2: m.Float2, Float3: m.Float3,
		String1: m.String1, String2: m.String2, String3: m.String3,
		Bool1: m.Bool1, Bool2: m.Bool2, Bool3: m.Bool3,
		Double1: m.Double1, Double2: m.Double2, Double3: m.Double3,
	}
}
