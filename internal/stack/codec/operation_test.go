package codec

import (
	"bytes"
	standard "encoding/json"
	"strings"
	"testing"
	"unsafe"

	"rpcbench/internal/stack/codec/codecv1"
)

func TestEveryCodecKeepsEveryMessage(t *testing.T) {
	t.Parallel()
	for _, name := range messageNames() {
		for _, codec := range codecNames() {
			t.Run(name+"/"+codec, func(t *testing.T) {
				t.Parallel()
				for seed := range seedsOf(name) {
					if _, err := bind(codec, newMessage(name, seed)).check(); err != nil {
						t.Errorf("seed %d: %v", seed, err)
					}
				}
			})
		}
	}
}

// seedsOf is how many there are time for.
func seedsOf(message string) uint64 {
	switch message {
	case "small", "address-book":
		return 50
	default:
		return 3
	}
}

// broken is JSON whose decoder spoils what it has read.
func broken(spoil func(b *addressBook)) operations {
	unmarshal := func(data []byte, v any) error {
		err := standard.Unmarshal(data, v)
		spoil(v.(*addressBook))
		return err
	}
	return byJSON(standard.Marshal, unmarshal)(newMessage("address-book", 1))
}

func TestTheFirstFieldThatIsLostIsNamed(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(b *addressBook){
		"":                             func(*addressBook) {},
		"people[0].id is 0, not ":      func(b *addressBook) { b.People[0].ID, b.People[1].Email = 0, "" },
		"people[1].phones[0].number":   func(b *addressBook) { b.People[1].Phones[0].Number += "!" },
		"people[1].phones[0].type is ": func(b *addressBook) { b.People[1].Phones[0].Type += 3 },
		"people has 1 elements, not ":  func(b *addressBook) { b.People = b.People[:1] },
		"people[0].phones has 0 eleme": func(b *addressBook) { b.People[0].Phones = nil },
	} {
		_, err := broken(spoil).check()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestGeneratedStructsAreComparedByTheirFields(t *testing.T) {
	t.Parallel()
	want := newMessage("large-sparse", 1).proto.(*codecv1.Things)
	got := newMessage("large-sparse", 1).proto.(*codecv1.Things)
	if d := difference(got, want); d != "" {
		t.Errorf("equal messages differ: %s", d)
	}
	got.Things[4].Things[3].Things[2].Attributes.Double3 = -1
	first := "things[4].things[3].things[2].attributes.double3 is -1, not 0."
	if d := difference(got, want); !strings.HasPrefix(d, first) {
		t.Errorf("the difference is %q", d)
	}
	got.Things[1].Attributes = nil
	if d := difference(got, want); d != "things[1].attributes is absent: true, not false" {
		t.Errorf("the difference is %q", d)
	}
}

// An encoding that lay in the memory of the one before would spare an allocation that a program pays for.
func TestEveryEncodingIsNewMemory(t *testing.T) {
	t.Parallel()
	for _, codec := range codecNames() {
		o := bind(codec, newMessage("address-book", 3))
		one, err := o.encode()
		if err != nil {
			t.Fatal(err)
		}
		two, err := o.encode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, two) || unsafe.SliceData(one) == unsafe.SliceData(two) {
			t.Errorf("%s: two encodings differ or share memory", codec)
		}
	}
}

func TestJSONHasEveryField(t *testing.T) {
	t.Parallel()
	text, err := standard.Marshal(things{Things: []thing1{{Things: []thing2{{Things: []thing3{{}}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]int{
		"attributes": 4, "things": 3, "value": 1, "int3": 4, "bool1": 4, "double2": 4, "string1": 4,
	} {
		if got := strings.Count(string(text), `"`+field+`":`); got != want {
			t.Errorf("%d times %s, want %d, in %s", got, field, want, text)
		}
	}
}
