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
	ended           func(slot int, err error)
}

func (j *joining) Join(_ *loop.Loop, _ stack.Call, ended func(slot int, err error)) (stack.Sender, error) {
	j.ended = ended
	return j, nil
}

func (j *joining) Send(slot int)   { j.sent = append(j.sent, slot) }
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

// Only what passes the kernel's sockets on as they are can join a loop.
func TestOnlySocketsOfTheKernelJoinLoops(t *testing.T) {
	t.Parallel()
	for network, want := range map[string]bool{
		stack.NetworkTCP: true, stack.NetworkUnix: true, stack.NetworkWSH: true, stack.NetworkWS: false, stack.NetworkInproc: false,
	} {
		if got := canJoin([]stack.Conn{&joining{}}, network); got != want {
			t.Errorf("over %s: %t, want %t", network, got, want)
		}
	}
	if canJoin([]stack.Conn{&lagging{}}, stack.NetworkTCP) {
		t.Error("a connection that is no Joiner can join")
	}
}
