package wire_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/http2"
)

// anyReply is an exchange that takes every reply.
type anyReply struct{ exchange }

func (*anyReply) End() error { return nil }

// The memory of a connection grows with what comes at once: frames of all lengths are whole, the first SETTINGS too.
func TestAConnectionHearsLongFrames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings int // of the first frame
		replies  []int
		grows    bool // beyond what it begins with
	}{
		"short replies":          {1, []int{10, 100, 10}, false},
		"long settings":          {16384 / 6, []int{10}, true},
		"a long reply":           {1, []int{16000, 10}, true},
		"longer, frame by frame": {1, []int{40000, 100_000}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := serve(t, func(s *server, _ int) {
				s.greet(slices.Repeat([]http2.Setting{{ID: 0xbeef, Val: 1}}, c.settings)...)
				for _, length := range c.replies {
					id, _ := s.request()
					s.head(id)
					message := framed(strings.Repeat("x", length))
					for len(message) > 0 {
						n := min(len(message), 16384)
						s.WriteData(id, false, message[:n])
						message = message[n:]
					}
					s.status(id, "0")
				}
				s.request() // until the client has gone
			})
			client, err := dial(t, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			caller, got := callerOn(t, client, unary(), 0), &anyReply{exchange{message: framed("ping")}}
			caller.lane.Add(got)
			caller.slots = 1
			for i, length := range c.replies {
				if err := caller.call()[0]; err != nil {
					t.Fatal(err)
				}
				if len(got.replies) != 1 || got.replies[0] != strings.Repeat("x", length) {
					t.Errorf("reply %d came as %d, want one of %d bytes", i, len(got.replies), length)
				}
			}
			if memory := client.Hears(); memory < 4<<10 || memory > 64<<10 || c.grows != (memory > 4<<10) {
				t.Errorf("it reads into %d bytes", memory)
			}
		})
	}
}
