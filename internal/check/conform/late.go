package conform

import (
	"fmt"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

const (
	// lateCalls is the number of calls that all end after the window.
	lateCalls = 20
	// lateWindow ends while calls are in flight. Each slot's last call, or none, is late.
	lateWindow = 50 * time.Millisecond
)

// traffic is what calls carry.
type traffic struct{ messagesOut, messagesIn, bytesOut, bytesIn int64 }

func (t traffic) times(calls int64) traffic {
	return traffic{calls * t.messagesOut, calls * t.messagesIn, calls * t.bytesOut, calls * t.bytesIn}
}

func trafficOf(counts interface {
	GetMessagesOut() int64
	GetMessagesIn() int64
	GetPayloadBytesOut() int64
	GetPayloadBytesIn() int64
}) traffic {
	return traffic{
		counts.GetMessagesOut(), counts.GetMessagesIn(), counts.GetPayloadBytesOut(), counts.GetPayloadBytesIn(),
	}
}

func (t traffic) String() string {
	return fmt.Sprintf("%d messages out of %d bytes and %d in of %d", t.messagesOut, t.bytesOut, t.messagesIn, t.bytesIn)
}

// allAtOnce is an open load of calls that are due a nanosecond apart. Its window has ended before the first reply can arrive.
func allAtOnce(calls int64) *control.Begin {
	begin := closedCalls(calls)
	begin.Load = &control.Load{Arrivals: control.LoadConstant, PerSec: float64(time.Second), Seed: seed}
	return begin
}

// A lateCall is a call whose messages all have the same size, although some workers draw it.
type lateCall struct {
	name  string
	setup setup
	per   traffic
	store bool // the server has one
}

// lateCallsOf returns calls of the pair's kinds whose traffic the worker computes, draws or reads from a store.
func lateCallsOf(p pair) []lateCall {
	fixed := lateCall{name: "fixed sizes", setup: unary(shape{1, 2}), per: traffic{1, 1, 100, 100}}
	all := []lateCall{fixed}
	if p.client.info.GetSizes() {
		drawn := lateCall{name: "drawn sizes", setup: unary(shape{1, 2}), per: traffic{1, 1, 60, 30}}
		drawn.setup.call.Sizes = &control.Sizes{
			Seed:     seed,
			Requests: binsOf([]stack.SizeBin{{Least: 60, Most: 60, Weight: 1}}),
			Replies:  binsOf([]stack.SizeBin{{Least: 30, Most: 30, Weight: 1}}),
		}
		all = append(all, drawn)
	}
	if p.client.info.GetStores() && p.server.info.GetStores() {
		s, _ := storeSetup()
		s.shape = shape{1, 2}
		s.call.Accesses.ReadsPerMillion = 1e6
		all = append(all, lateCall{name: "reads of a store", setup: s, per: traffic{1, 1, 0, storeBatch * storeBytes}, store: true})
	}
	return all
}

// lateOnes checks that the tail of a phase has the messages and bytes of the calls that ended after its window.
func lateOnes(r *rig) (string, error) {
	all := lateCallsOf(r.pair)
	for _, c := range all {
		client, err := r.connectLate(c)
		if err == nil {
			err = r.judgeLate(client, lateCalls, func(done *control.Done) error { return checkTail(done, c.per) })
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return fmt.Sprintf("%d calls after the window, %d ways", lateCalls, len(all)), nil
}

func (r *rig) connectLate(c lateCall) (*party, error) {
	if c.store {
		return r.withStore(c.setup, storeRecords)
	}
	client, _, err := r.both(c.setup)
	return client, err
}

// judgeLate makes calls that all end after the window, and then calls that do so in part: check gets the Done of both phases.
func (r *rig) judgeLate(client *party, calls int64, check func(*control.Done) error) error {
	done, err := r.phase(client, allAtOnce(calls))
	if err != nil {
		return err
	}
	if done.GetArrivals() != calls {
		return fmt.Errorf("%d arrivals, %d were due", done.GetArrivals(), calls)
	}
	if err := checkAllLate(done); err != nil {
		return err
	}
	if err := check(done); err != nil {
		return fmt.Errorf("all calls ended after the window: %w", err)
	}
	if done, err = r.phase(client, closedFor(lateWindow)); err != nil {
		return err
	}
	if err := check(done); err != nil {
		return fmt.Errorf("some calls ended after the window: %w", err)
	}
	return nil
}

// checkAllLate checks that the tail has all OK calls of a Done, and what they carried.
func checkAllLate(done *control.Done) error {
	ok, tail := outcomes(done)["OK"], done.GetTail()
	if tail.GetOk() != ok {
		return fmt.Errorf("done.tail.ok is %d, want %d: all calls ended after the window of %v", tail.GetOk(), ok,
			time.Duration(done.GetWindowNs()))
	}
	if got, want := trafficOf(tail), trafficOf(done); got != want {
		return fmt.Errorf("done.tail has %v, want %v: all calls ended after the window", got, want)
	}
	return nil
}

// checkTail checks what the OK calls of a Done carried, all of them and the late ones, by what each carries.
func checkTail(done *control.Done, per traffic) error {
	ok, tail := outcomes(done)["OK"], done.GetTail()
	if tail.GetOk() > ok {
		return fmt.Errorf("done.tail.ok is %d, and only %d calls were OK", tail.GetOk(), ok)
	}
	if got, want := trafficOf(done), per.times(ok); got != want {
		return fmt.Errorf("done has %v, want %v for %d calls", got, want, ok)
	}
	if got, want := trafficOf(tail), per.times(tail.GetOk()); got != want {
		return fmt.Errorf("done.tail has %v, want %v for %d calls", got, want, tail.GetOk())
	}
	return nil
}

// checkMixedTail checks the tail of each call of a mix, and that the whole is their sum.
func checkMixedTail(done *control.Done, per traffic) error {
	var ok int64
	for i, one := range done.GetMixed() {
		if err := checkTail(one, per); err != nil {
			return fmt.Errorf("done.mixed[%d]: %w", i, err)
		}
		ok += one.GetTail().GetOk()
	}
	if done.GetTail().GetOk() != ok {
		return fmt.Errorf("done.tail.ok is %d, and that of all done.mixed is %d", done.GetTail().GetOk(), ok)
	}
	return checkTail(done, per)
}
