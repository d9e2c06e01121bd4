package load_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/worker/load"
)

// metronome makes one on a virtual clock, which begins now.
func metronome(t *testing.T) (*load.Metronome, func() time.Duration) {
	t.Helper()
	start := time.Now()
	now := func() time.Duration { return time.Since(start) }
	m := load.NewMetronome(now, load.SleepWaiter{})
	t.Cleanup(m.Close)
	return m, now
}

// Gaps are longer than the time for which the Metronome can't be interrupted.
func TestEverySenderIsWokenWhenItIsDue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, now := metronome(t)
		var group sync.WaitGroup
		for sender := range 100 {
			woken := make(chan struct{}, 1)
			ask := m.Beat(func() { woken <- struct{}{} })
			gap := time.Duration(sender+1) * 2137 * time.Microsecond
			group.Go(func() {
				for k := range 50 {
					due := time.Duration(k+1) * gap
					ask(due)
					<-woken
					if now() != due {
						t.Errorf("sender %d, message %d: woken at %v, due at %v", sender, k, now(), due)
					}
				}
			})
		}
		group.Wait()
	})
}

// A beat that is asked for while the Metronome waits for a later one is in time, unless it falls into the last 2 ms.
func TestASoonerBeatIsNotForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, now := metronome(t)
		var woken []time.Duration
		wake := func() { woken = append(woken, now()) }
		m.Beat(wake)(100 * time.Millisecond)
		synctest.Wait()
		m.Beat(wake)(10 * time.Millisecond)
		time.Sleep(time.Second)
		synctest.Wait()
		if diff := cmp.Diff([]time.Duration{10 * time.Millisecond, 100 * time.Millisecond}, woken); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAskingAgainMovesABeat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, now := metronome(t)
		var woken []time.Duration
		ask := m.Beat(func() { woken = append(woken, now()) })
		ask(10 * time.Millisecond)
		ask(30 * time.Millisecond)
		ask(20 * time.Millisecond)
		time.Sleep(time.Second)
		ask(now()) // and one that is due
		synctest.Wait()
		if diff := cmp.Diff([]time.Duration{20 * time.Millisecond, time.Second}, woken); diff != "" {
			t.Error(diff)
		}
	})
}

// A closed Metronome wakes nobody, and leaves no goroutine behind, or the bubble would not end.
func TestAClosedMetronomeIsSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		m := load.NewMetronome(func() time.Duration { return time.Since(start) }, load.SleepWaiter{})
		ask := m.Beat(func() { t.Error("somebody was woken") })
		ask(time.Second)
		synctest.Wait()
		m.Close()
		ask(time.Millisecond)
		time.Sleep(time.Minute)
	})
}
