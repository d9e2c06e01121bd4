package codec

import (
	"slices"

	"google.golang.org/protobuf/proto"
)

// A message is one message's contents in the two forms that programs have it in: a plain struct for JSON, a generated
// one for protobuf. Both are pointers.
type message struct {
	plain    any
	newPlain func() any // an empty one of the same type
	proto    proto.Message
	newProto func() proto.Message
}

// A generated struct M is a proto.Message as a pointer.
type generated[M any] interface {
	*M
	proto.Message
}

func messageOf[T, M any, P generated[M]](plain *T, made P) message {
	return message{plain, func() any { return new(T) }, made, func() proto.Message { return P(new(M)) }}
}

// messages makes each message from its seed. The sizes are those of protobuf: minimum, median and maximum.
var messages = []struct {
	name string
	make func(s *source) message
}{
	{"small", makeSmall},                        // 3, 18, 32 B
	{"address-book", makeAddressBook},           // 70, 540, 1,140 B
	{"newsfeed", makeNewsfeed},                  // 0.4, 180, 400 kB
	{"large", makeThings((*source).randomTree)}, // 0.7, 34, 98 kB
	{"large-dense", makeThings(fixedTree(60))},  // 41 kB
	{"large-sparse", makeThings(fixedTree(10))}, // 17 kB
}

func makeSmall(s *source) message {
	m := s.smallRequest()
	return messageOf(m, m.proto())
}

func makeAddressBook(s *source) message {
	m := s.addressBook()
	return messageOf(m, m.proto())
}

func makeNewsfeed(s *source) message {
	m := s.friendsList()
	return messageOf(m, m.proto())
}

func makeThings(shape func(s *source) tree) func(s *source) message {
	return func(s *source) message {
		m := shape(s).things()
		return messageOf(m, m.proto())
	}
}

// messageNames lists the messages from small to large.
func messageNames() []string {
	var names []string
	for _, m := range messages {
		names = append(names, m.name)
	}
	return names
}

// newMessage makes a message that messageNames lists.
func newMessage(name string, seed uint64) message {
	i := slices.Index(messageNames(), name)
	return messages[i].make(&source{seed})
}
