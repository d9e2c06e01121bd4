package hosts

import (
	"context"
	"testing"

	"rpcbench/internal/run/launch"
)

// A metered is a process whose sockets can be inspected.
type metered struct{ launch.Process }

func (metered) Segments() (sockets, out, in, again int64, known bool) { return 2, 70, 60, 3, true }

// Launch is of the process itself.
func (m metered) Launch(context.Context, launch.Order) (launch.Process, error) { return m, nil }

func TestSocketsOfAProcessThatOtherHostsReachAreInspected(t *testing.T) {
	t.Parallel()
	l := Launcher{Here: metered{}, Address: "192.0.2.1"}
	p, err := l.Launch(t.Context(), launch.Order{Apart: true})
	if err != nil || p.Host() != (launch.Host{Address: "192.0.2.1"}) {
		t.Fatalf("it is reached at %+v, %v", p.Host(), err)
	}
	meter, can := p.(launch.SocketMeter)
	if !can {
		t.Fatal("its sockets can't be inspected")
	}
	sockets, out, in, again, known := meter.Segments()
	if got := [4]int64{sockets, out, in, again}; got != [4]int64{2, 70, 60, 3} || !known {
		t.Errorf("sockets, out, in, again: %v, %v", got, known)
	}
}
