package codec

// The generators draw the fields of a message in the order of the schema. A list draws its length first, and a text
// whose length is not fixed likewise.

func list[T any](length int, draw func() T) []T {
	drawn := make([]T, length)
	for i := range drawn {
		drawn[i] = draw()
	}
	return drawn
}

func (s *source) smallRequest() *smallRequest { return &smallRequest{Name: s.text(s.upTo(30))} }

func (s *source) addressBook() *addressBook { return &addressBook{People: list(s.upTo(10), s.person)} }

func (s *source) person() person {
	return person{Name: s.text(16), ID: s.int32(), Email: s.text(30), Phones: list(s.upTo(4), s.phoneNumber)}
}

func (s *source) phoneNumber() phoneNumber {
	return phoneNumber{Number: s.text(9), Type: int32(s.below(3))}
}

func (s *source) friendsList() *friendsList {
	return &friendsList{Profiles: list(s.upTo(50), s.profile)}
}

func (s *source) profile() profile {
	return profile{
		ID: s.int32(), Name: s.text(s.upTo(16)), About: s.text(s.upTo(120)), Gender: s.bool(),
		Posts: list(s.upTo(12), s.post),
	}
}

func (s *source) post() post {
	return post{
		OwnerID: s.int32(), Content: s.text(s.upTo(400)),
		Reactions: list(s.upTo(10), s.reaction), Comments: list(s.upTo(10), s.comment),
	}
}

func (s *source) reaction() reaction {
	return reaction{OwnerID: s.int32(), Type: int32(s.below(5))}
}

func (s *source) comment() comment {
	return comment{OwnerID: s.int32(), Text: s.text(s.upTo(240))}
}

// A tree is how things are drawn: how many there are at each level, and how long texts are.
type tree struct {
	*source
	branches func() int
	length   func() int
}

// randomTree has 1 to 10 things at each level, and texts of 1 to 60 characters.
func (s *source) randomTree() tree {
	return tree{s, func() int { return s.upTo(10) }, func() int { return s.upTo(60) }}
}

// fixedTree has 5 things at each level, and texts of one length.
func fixedTree(length int) func(s *source) tree {
	return func(s *source) tree { return tree{s, func() int { return 5 }, func() int { return length }} }
}

func (t tree) things() *things {
	return &things{Attributes: t.attributes(), Things: list(t.branches(), t.thing1)}
}

func (t tree) thing1() thing1 {
	return thing1{Attributes: t.attributes(), Things: list(t.branches(), t.thing2)}
}

func (t tree) thing2() thing2 {
	return thing2{Attributes: t.attributes(), Value: int32(t.below(6)), Things: list(t.branches(), t.thing3)}
}

func (t tree) thing3() thing3 { return thing3{Attributes: t.attributes()} }

func (t tree) attributes() attributes {
	return attributes{
		Int1: t.int32(), Int2: t.int32(), Int3: t.int32(),
		Float1: t.float32(), Float2: t.float32(), Float3: t.float32(),
		String1: t.text(t.length()), String2: t.text(t.length()), String3: t.text(t.length()),
		Bool1: t.bool(), Bool2: t.bool(), Bool3: t.bool(),
		Double1: t.float64(), Double2: t.float64(), Double3: t.float64(),
	}
}
