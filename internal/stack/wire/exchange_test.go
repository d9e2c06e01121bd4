package wire_test

import (
	"fmt"
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
