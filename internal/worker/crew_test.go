package worker

import (
	"errors"
	"slices"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
)

// A joining is a Joiner that notes the slots in which calls begin and are cancelled.
type joining struct {
	stack.Conn
	sent, cancelled []int
	more            []bool // of sent
	ended           func(slot int, err error)
}

func (j *joining) Join(_ *loop.Loop, _ stack.Call, ended func(slot int, err error)) (stack.Sender, error) {
	j.ended = ended
	return j, nil
}

func (j *joining) Send(slot int, more bool) {
	j.sent, j.more = append(j.sent, slot), append(j.more, more)
}
func (j *joining) Cancel(slot int) { j.cancelled = append(j.cancelled, slot) }

// Slot i is of connection i modulo their number, as with Callers, whichever loop serves it.
func TestTheSlotsOfCrewsGoFromConnectionToConnection(t *testing.T) {
	t.Parallel()
	const inFlight = 4
	for _, loops := range []int{1, 2, 3, 10} {
		made := []*joining{{}, {}, {}}
		conns := []stack.Conn{made[0], made[1], made[2]}
		all, err := crewsOn(conns, make([]stack.Call, len(conns)), inFlight, loops)
		if errors.Is(err, loop.ErrUnsupported) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if want := min(loops, len(conns)); len(all.lines) != want || len(all.crews) != want {
			t.Errorf("%d lines and %d crews for %d loops, want %d", len(all.lines), len(all.crews), loops, want)
		}
		seats := make([]int, len(all.lines)) // of each line so far
		for i, line := range all.lineOf {
			seat := seats[line]
			seats[line]++
			conn, slot := made[i%len(made)], i/len(made)
			all.lines[line].Send([]int{seat})
			all.lines[line].Cancel(seat)
			if !slices.Contains(conn.sent, slot) || !slices.Contains(conn.cancelled, slot) {
				t.Errorf("%d loops: slot %d is not slot %d of connection %d", loops, i, slot, i%len(made))
			}
			told := -1
			all.crews[line].ended = func(seat int, _ error) { told = seat }
			conn.ended(slot, nil)
			if told != seat {
				t.Errorf("%d loops: the end of slot %d was reported as one of seat %d, not %d", loops, i, told, seat)
			}
		}
		if len(all.lineOf) != inFlight*len(conns) {
			t.Errorf("%d slots, want %d", len(all.lineOf), inFlight*len(conns))
		}
		closeAll(all.crews)
	}
}

// Several calls on one connection are written at once, and calls on several are not held back.
func TestCallsOfOneConnectionAreSentTogether(t *testing.T) {
	t.Parallel()
	made := []*joining{{}, {}}
	c := &crew{members: []stack.Sender{made[0], made[1]}}
	c.Send([]int{0, 2, 4, 1, 3, 6})
	for i, want := range []struct {
		slots []int
		more  []bool
	}{{[]int{0, 1, 2, 3}, []bool{true, true, false, false}}, {[]int{0, 1}, []bool{true, false}}} {
		if got := made[i]; !slices.Equal(got.sent, want.slots) || !slices.Equal(got.more, want.more) {
			t.Errorf("connection %d: slots %v, more %v, want %v", i, got.sent, got.more, want)
		}
	}
}

// Only what passes the kernel's sockets on as they are can join a loop.
func TestOnlySocketsOfTheKernelJoinLoops(t *testing.T) {
	t.Parallel()
	for network, want := range map[string]bool{
		stack.NetworkTCP: true, stack.NetworkUnix: true, stack.NetworkWSH: true, stack.NetworkWS: false, stack.NetworkInproc: false,
	} {
		if got := canJoin([]stack.Conn{&joining{}}, network, 1); got != want {
			t.Errorf("over %s: %t, want %t", network, got, want)
		}
	}
	if canJoin([]stack.Conn{&lagging{}}, stack.NetworkTCP, 1) {
		t.Error("a connection that is no Joiner can join")
	}
}

// A waiting connection is a Joiner that can wait on its own, too.
type waiting struct{ joining }

func (*waiting) Pipeline(stack.Call) (stack.Pipeline, error) { return nil, nil }

// Few connections that can wait on their own do so.
func TestFewConnectionsWaitOnTheirOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		conns, processors int
		want              bool
	}{{1, 1, false}, {2, 1, true}, {1, 2, false}, {2, 2, true}, {3, 4, false}, {4, 4, true}, {400, 4, true}} {
		conns := make([]stack.Conn, c.conns)
		for i := range conns {
			conns[i] = &waiting{}
		}
		if got := canJoin(conns, stack.NetworkTCP, c.processors); got != c.want {
			t.Errorf("%d connections on %d processors: %t, want %t", c.conns, c.processors, got, c.want)
		}
	}
}

// An only connection is a Joiner whose Callers can wait in the kernel, too.
type only struct {
	joining
	blocks  bool
	callers int
}

func (o *only) Block() { o.blocks = true }

func (o *only) Caller(stack.Call, int) (stack.Caller, error) {
	o.callers++
	return nil, nil
}

// Its Caller waits in the kernel if it is all that the process does. Otherwise a loop serves it.
func TestTheOnlySlotOfAClientWaitsInTheKernel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ conns, inFlight, callers int }{{1, 1, 1}, {1, 2, 0}, {2, 1, 0}} {
		conns := make([]stack.Conn, c.conns)
		for i := range conns {
			conns[i] = new(only)
		}
		made, err := callsOn(conns, stack.NetworkTCP, []*part{{call: stack.Call{Kind: stack.KindUnary}}}, nil, c.inFlight)
		if err != nil {
			t.Fatal(err)
		}
		closeAll(made.crews)
		first := conns[0].(*only)
		if blocks := c.callers > 0; first.blocks != blocks || first.callers != c.callers || len(made.callers) != c.callers {
			t.Errorf("%d connections of %d slots: blocks %t, %d callers made, %d used, want %t and %d",
				c.conns, c.inFlight, first.blocks, first.callers, len(made.callers), blocks, c.callers)
		}
	}
}
