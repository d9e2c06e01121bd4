package loop

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestATurnVisitsTheSocketThatIsReady(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d, begun := newDesk(t, 3, 10), time.Now()
		time.AfterFunc(time.Second, func() { d.memory.arrive(1, "ping") })
		d.Turn()
		for i, want := range [][]string{nil, {"ping"}, nil} {
			if got := d.readers[i].turns; !slices.Equal(got, want) {
				t.Errorf("socket %d read %q, want %q", i, got, want)
			}
		}
		if took := time.Since(begun); took != time.Second {
			t.Errorf("it took %v, want 1s", took)
		}
	})
}

// Several sockets that are ready at once are found by one wait, and no second read finds out that there was no more.
func TestManySocketsCostOneWaitAndAReadEach(t *testing.T) {
	virtually(t, func(t *testing.T) {
		const sockets = 100
		d := newDesk(t, sockets, 10)
		for i := range sockets {
			d.memory.arrive(i, "ping")
		}
		for range sockets {
			d.Turn()
		}
		if d.memory.waits != 1 || d.memory.reads != sockets {
			t.Errorf("%d waits and %d reads, want 1 and %d", d.memory.waits, d.memory.reads, sockets)
		}
		if _, err := d.readers[0].socket.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the second read: %v", err)
		}
	})
}

// A server that always has more gets no more turns than others.
func TestNoServerKeepsTheLoopToItself(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d := newDesk(t, 2, 10)
		d.memory.arrive(0, strings.Repeat("x", 10*bufferBytes))
		d.memory.arrive(1, strings.Repeat("y", 10*bufferBytes))
		for range 10 {
			d.Turn()
		}
		if a, b := len(d.readers[0].turns), len(d.readers[1].turns); a != 5 || b != 5 {
			t.Errorf("they were visited %d and %d times, want 5 and 5", a, b)
		}
	})
}

// TLS reads in small pieces: they are one system call.
func TestSmallReadsShareASystemCall(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d := newDesk(t, 1, 10)
		d.memory.arrive(0, "abcde")
		d.readers[0].most = 2
		d.Turn()
		var all []string
		for {
			b := make([]byte, 2)
			n, err := d.readers[0].socket.Read(b)
			if err != nil {
				break
			}
			all = append(all, string(b[:n]))
		}
		if !slices.Equal(all, []string{"cd", "e"}) || d.memory.reads != 1 {
			t.Errorf("read %q after the first, by %d system calls", all, d.memory.reads)
		}
	})
}

func TestAnAskIsNeverLost(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d, begun := newDesk(t, 1, 10), time.Now()
		d.Ask(d.readers[0]) // before the turn
		d.Turn()
		time.AfterFunc(time.Second, func() { d.Ask(d.readers[0]) }) // and within
		for len(d.readers[0].turns) < 2 {
			d.Turn()
		}
		if took := time.Since(begun); took != time.Second {
			t.Errorf("it took %v, want 1s", took)
		}
	})
}

// An insistent owner asks to be visited again in every visit.
type insistent struct {
	loop   *Loop
	visits int
}

func (i *insistent) Ready() { i.visits++; i.loop.Ask(i) }

func TestAnOwnerThatAlwaysAsksKeepsNoneWaiting(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d := newDesk(t, 1, 10)
		busy := &insistent{loop: d.Loop}
		d.Ask(busy)
		for range 10 {
			d.memory.arrive(0, "ping")
			d.Turn()
		}
		if got := len(d.readers[0].turns); got != 5 || busy.visits != 5 {
			t.Errorf("in 10 turns the socket was visited %d times, and who always asks %d times, want 5 each", got, busy.visits)
		}
	})
}

func TestACloseEndsTheTurn(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d := newDesk(t, 1, 10)
		time.AfterFunc(time.Second, d.Close)
		for d.Turn() {
		}
		if !d.memory.over || d.Turn() {
			t.Error("the loop goes on after its end")
		}
		d.Ask(d.readers[0])
		if d.memory.roused {
			t.Error("a poller that has ended was roused")
		}
	})
}

func TestALoopWithoutATurnCanBeClosed(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d := newDesk(t, 1, 10)
		d.Close()
		d.Close()
		if !d.memory.over || d.Turn() {
			t.Error("the loop goes on after its end")
		}
		if _, err := d.adopt(0, nowhere{}, d.readers[0]); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a socket was adopted: %v", err)
		}
	})
}

// A write takes what fits, and its owner is visited once there is room, and not again for that.
func TestAWriteTakesWhatFits(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d := newDesk(t, 1, 4)
		owner := d.readers[0]
		if n, err := owner.socket.Write([]byte("abcdefg")); n != 4 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("wrote %d, %v", n, err)
		}
		go func() {
			for d.Turn() {
			}
		}()
		synctest.Wait()
		if len(owner.turns) != 0 {
			t.Error("its owner was visited, and there is no room")
		}
		if got := d.memory.empty(0); got != "abcd" {
			t.Errorf("%q was written", got)
		}
		synctest.Wait()
		if len(owner.turns) != 1 {
			t.Errorf("its owner was visited %d times when there was room, want 1", len(owner.turns))
		}
		d.Close()
	})
}

// An event of a socket that was closed meanwhile is for nobody, and not for the next socket with its tag.
func TestAClosedSocketIsForgotten(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d := newDesk(t, 2, 10)
		d.memory.arrive(0, "a")
		d.readers[0].socket.Close()
		d.memory.ends = append(d.memory.ends, &end{space: 10})
		next := &reader{most: 10}
		next.socket, _ = d.adopt(2, nowhere{}, next)
		if next.socket.tag != d.readers[0].socket.tag {
			t.Errorf("tags are not used again: %d", next.socket.tag)
		}
		d.memory.arrive(1, "b")
		d.Turn()
		if len(next.turns)+len(d.readers[0].turns) != 0 || len(d.readers[1].turns) != 1 {
			t.Errorf("visited: %q %q %q", next.turns, d.readers[0].turns, d.readers[1].turns)
		}
		if _, err := d.readers[0].socket.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a read of a closed socket: %v", err)
		}
		if _, err := d.readers[0].socket.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a write to a closed socket: %v", err)
		}
	})
}

func TestTheEndOfAConnectionIsRead(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d := newDesk(t, 1, 10)
		d.memory.finish(0)
		d.Turn()
		if !errors.Is(d.readers[0].err, io.EOF) {
			t.Errorf("the end was read as %v", d.readers[0].err)
		}
	})
}

func TestALoopLetsOthersRunFirstNowAndThen(t *testing.T) {
	virtually(t, func(t *testing.T) {
		d, begun := newDesk(t, 1, 10), time.Now()
		for _, c := range []struct{ at, yielded time.Duration }{
			{0, 0}, {yieldEvery - 1, 0}, {yieldEvery, yieldEvery}, {2*yieldEvery - 1, yieldEvery}, {3 * yieldEvery, 3 * yieldEvery},
		} {
			time.Sleep(c.at - time.Since(begun))
			d.memory.arrive(0, "ping")
			d.Turn()
			if got := d.yielded.Sub(begun); got != c.yielded {
				t.Errorf("at %v it yielded last at %v, want %v", c.at, got, c.yielded)
			}
		}
	})
}
