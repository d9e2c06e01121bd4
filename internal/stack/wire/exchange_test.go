package wire_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// An odd exchange has fields of its own in each call, and fails where it is told.
type odd struct {
	exchange
	messages   int
	begins     int
	failBegin  bool
	failSecond bool
	value      string
}

func (o *odd) Begin() (int, error) {
	o.exchange.Begin()
	o.begins++
	if o.failBegin {
		return 0, stack.Errorf(stack.InvalidArgument, "no such field")
	}
	return o.messages, nil
}

func (o *odd) Fields() []byte {
	return wire.AppendField(nil, "number", fmt.Appendf(nil, "%s%d", o.value, o.begins))
}

func (o *odd) Message(i int) ([]byte, error) {
	if i == 1 && o.failSecond {
		return nil, stack.Errorf(stack.InvalidArgument, "no second message")
	}
	return framed("ping"), nil
}

// Each call's own fields arrive with those that all have, of any length, and requests of no message end with them.
func TestACallHasFieldsOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 126, 127, 128, 254, 255, 20_000} {
		for messages := range 3 {
			value := strings.Repeat("v", size)
			address := serve(t, func(s *server, _ int) {
				s.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
				s.MaxHeaderListSize = 1 << 20
				s.greet()
				for calls, got := 0, 0; ; {
					f, err := s.ReadFrame()
					if err != nil {
						return
					}
					ended := false
					switch f := f.(type) {
					case *http2.MetaHeadersFrame:
						calls++
						last := f.Fields[len(f.Fields)-1]
						if last.Name != "number" || last.Value != fmt.Sprintf("%s%d", value, calls) {
							t.Errorf("call %d has a field %s of %d bytes", calls, last.Name, len(last.Value))
						}
						ended, got = f.StreamEnded(), 0
					case *http2.DataFrame:
						got++
						ended = f.StreamEnded()
					}
					if ended {
						if got != messages {
							t.Errorf("%d messages came, want %d", got, messages)
						}
						s.good(f.Header().StreamID)
					}
				}
			})
			client, err := dial(t, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			c := callerOn(t, client, unary(), 0)
			c.lane.Add(&odd{messages: messages, value: value})
			c.slots = 1
			for range 3 {
				if err := c.call()[0]; err != nil {
					t.Errorf("%d bytes, %d messages: %v", size, messages, err)
				}
			}
		}
	}
}

// A short exchange sends fewer messages than it said.
type short struct {
	exchange
	messages int
}

func (s *short) Begin() (int, error) { s.exchange.Begin(); return 100, nil }

func (s *short) Message(i int) ([]byte, error) {
	if i == s.messages {
		return nil, wire.ErrNoMore
	}
	return s.message, nil
}

// A request ends with the last message that there is, at once, and what follows it on the connection is another.
func TestACallMayFindThatItHasNoMoreMessages(t *testing.T) {
	t.Parallel()
	for messages := range 4 {
		address := serve(t, func(s *server, _ int) {
			s.greet()
			for {
				id, body := s.request()
				if id == 0 {
					return
				}
				if want := bytes.Repeat(framed("ping"), messages); !bytes.Equal(body, want) {
					t.Errorf("%q came, want %q", body, want)
				}
				s.good(id)
			}
		})
		client, err := dial(t, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := callerOn(t, client, unary(), 0)
		c.lane.Add(&short{exchange{message: framed("ping")}, messages})
		c.slots = 1
		for range 3 {
			if err := c.call()[0]; err != nil {
				t.Errorf("%d messages: %v", messages, err)
			}
		}
	}
}

// Who wants to see what header blocks say sees all of it, of each call anew.
func TestACallerMaySeeTheFieldsOfResponses(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, _ int) {
		s.greet()
		for {
			id, _ := s.request()
			if id == 0 {
				return
			}
			s.headers(id, false, ":status", "103", "link", "a")
			s.headers(id, false, ":status", "200", "content-type", "application/grpc", "own", "b", "own", "c")
			s.WriteData(id, false, framed("pong"))
			s.headers(id, true, "grpc-status", "0", "last", "d")
		}
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	call, got := unary(), [][]wire.Field(nil)
	call.Head = func(fields []wire.Field) { got = append(got, fields) }
	c := callerOn(t, client, call, 1)
	want := [][]wire.Field{
		{{":status", "103"}, {"link", "a"}},
		{{":status", "200"}, {"content-type", "application/grpc"}, {"own", "b"}, {"own", "c"}},
		{{"grpc-status", "0"}, {"last", "d"}},
	}
	for range 3 { // the later ones in blocks that only refer to the first
		got = nil
		if err := c.call()[0]; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

// A call that can't be made ends by itself: nothing is sent of it, or its stream is reset. The connection goes on.
func TestACallThatCannotBeMadeEnds(t *testing.T) {
	t.Parallel()
	for what, one := range map[string]*odd{
		"at its begin":          {messages: 1, failBegin: true},
		"at its second message": {messages: 2, failSecond: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			address := serve(t, func(s *server, _ int) { s.greet(); s.goodAll() })
			client, err := dial(t, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			c := callerOn(t, client, unary(), 1)
			c.lane.Add(one)
			c.slots = 2
			ends := c.call()
			if ends[0] != nil || stack.CodeOf(ends[1]) != stack.InvalidArgument {
				t.Errorf("the calls ended with %v, want OK and INVALID_ARGUMENT", ends)
			}
			one.failBegin, one.failSecond = false, false
			for slot, err := range c.call() {
				if err != nil {
					t.Errorf("the next call of slot %d: %v", slot, err)
				}
			}
		})
	}
}
