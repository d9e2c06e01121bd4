package endtoend

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/control"
	"rpcbench/internal/record"
)

const (
	perSec    = 200
	window    = 2500 * time.Millisecond
	stopFor   = time.Second
	felt      = 100 * time.Millisecond // a call that takes longer has felt the stop
	tolerance = 0.02

	machineLate = 10 * time.Millisecond // what takes that long by itself is no machine to keep time on
	attempts    = 5
)

// favoured has the workers run before others on a busy machine, where that is permitted; elsewhere it says so and runs
// them all the same.
var favoured = []string{"nice", "-n", "-15"}

// Who waits for a server that stands still for a second is not its few calls in flight but every call that comes due.
// Service time tells nothing of it: with one caller a single call is slow. Where what was recorded is not the truth on a
// machine that was late itself, it is asked again.
func TestAStoppedServerIsFeltByEveryCallThatWasDue(t *testing.T) {
	for _, inFlight := range []uint32{1, 10, 1000} {
		t.Run(fmt.Sprintf("%d in flight", inFlight), func(t *testing.T) {
			for attempt := 1; ; attempt++ {
				frozen := freeze(t, inFlight)
				err := frozen.judge(inFlight)
				t.Log(frozen)
				if err != nil && frozen.disturbed() && attempt < attempts {
					t.Logf("%v, but the machine itself was late: once again", err)
					continue
				}
				if err != nil {
					t.Error(err)
				}
				return
			}
		})
	}
}

// A stopping is what was recorded of a stop, and how long that was: what is known from outside lies between two bounds.
type stopping struct {
	least, most             time.Duration
	response, service, wake *hdrhistogram.Histogram
}

// freeze stops a server in the middle of an open load on as many slots, and checks that no call is lost.
func freeze(t *testing.T, inFlight uint32) *stopping {
	t.Helper()
	server, address := serve(t, "grpc-go", favoured...)
	c := command("grpc-go", address)
	c.InFlight = inFlight
	client := connect(t, c, favoured...)
	wantAll(t, "warm-up", measure(t, client, closed(2000)), "OK", 2000)

	s := &stopping{}
	intervals, stopped := 0, make(chan error, 1)
	done, err := client.Begin(t.Context(), open(), func(*control.Interval) {
		if intervals++; intervals == 5 {
			go func() { stopped <- s.stop(server.PID()) }()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	wantAll(t, "measured", done, "OK", int64(perSec*window.Seconds()))
	s.response, s.service, s.wake = histogram(t, done, "response"), histogram(t, done, "service"), histogram(t, done, "wake")
	return s
}

func open() *control.Begin {
	return &control.Begin{
		Phase: control.Measured, DurationNs: int64(window), DrainNs: int64(10 * time.Second),
		Load: &control.Load{Arrivals: "constant", PerSec: perSec},
	}
}

// stop stops a process for a second.
func (s *stopping) stop(pid int) error {
	begun := time.Now()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	for !standsStill(pid) {
		time.Sleep(100 * time.Microsecond)
	}
	stopped := time.Now()
	time.Sleep(stopFor)
	resumed := time.Now()
	err := syscall.Kill(pid, syscall.SIGCONT)
	s.least, s.most = resumed.Sub(stopped), time.Since(begun)
	return err
}

// standsStill tells whether all threads of a process have come to the stop: one that runs goes on until the kernel
// reaches it. Where there is no /proc it is taken to be at once.
func standsStill(pid int) bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) // the pattern is good
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			continue // the thread has ended
		}
		_, state, _ := bytes.Cut(text, []byte(") ")) // behind the name
		if !bytes.HasPrefix(state, []byte("T")) {
			return false
		}
	}
	return true
}

// disturbed tells whether the machine had no time for this test: a signal or the pacer was late.
func (s *stopping) disturbed() bool {
	return s.most-s.least > machineLate || s.wake.Max() > int64(machineLate)
}

func (s *stopping) String() string {
	return fmt.Sprintf("stopped for %v to %v: %d calls over %v, response p99 %v, service p99 %v, wake max %v", s.least, s.most,
		record.CountAbove(s.response, felt), felt, p99(s.response), p99(s.service), time.Duration(s.wake.Max()))
}

// judge compares with the truth. Of a stop of length S under R calls a second, the k-th call due in it, k = 0, 1, …,
// waits S − (k+δ)/R, 0 ≤ δ < 1, and then for its turn in the backlog, whose calls take b each: its response is
// S − (k+δ)/R + (k+1)·b. So (S−L+b) / (1/R−b) calls, give or take one, take longer than L. With one slot b is the service
// time, with many between 0 and that.
func (s *stopping) judge(inFlight uint32) error {
	least, most := truth{s.least, 0}, truth{s.most, record.MeanUpTo(s.service, felt)}
	slow := float64(record.CountAbove(s.response, felt))
	if fewest, largest := least.slow(), most.slow(); slow < fewest*(1-tolerance)-1 || slow > largest*(1+tolerance)+1 {
		return fmt.Errorf("%.0f calls took over %v, want %.1f to %.1f within %v", slow, felt, fewest, largest, tolerance)
	}
	beyond := math.Floor(0.01 * float64(s.response.TotalCount()))
	got, low, high := p99(s.response), least.response(beyond, 1), most.response(beyond, 0)
	if got.Seconds() < low.Seconds()*(1-tolerance) || got.Seconds() > high.Seconds()*(1+tolerance) {
		return fmt.Errorf("the p99 is %v, want %v to %v within %v", got, low, high, tolerance)
	}
	if hung := record.CountAbove(s.service, felt); hung == 0 || hung > int64(inFlight) {
		return fmt.Errorf("%d calls were in flight for over %v on %d slots", hung, felt, inFlight)
	}
	if hidden := p99(s.service); inFlight == 1 && hidden > felt {
		return fmt.Errorf("the service p99 is %v, where one call of %d was stopped", hidden, s.service.TotalCount())
	}
	return nil
}

func p99(h *hdrhistogram.Histogram) time.Duration { return time.Duration(record.Quantile(h, 0.99)) }

// A truth is what a stop does to calls, where each of the backlog takes a time.
type truth struct{ stop, each time.Duration }

// growing tells whether the backlog never ends: its calls take no less time than lies between two that come due.
func (t truth) growing() bool { return t.each >= time.Second/perSec }

// slow returns how many calls take longer than felt.
func (t truth) slow() float64 {
	all := perSec * window.Seconds()
	if t.growing() {
		return all
	}
	return min(all, (t.stop-felt+t.each).Seconds()/(1.0/perSec-t.each.Seconds()))
}

// response returns that of call k, which came delta of a gap after the stop had begun; where the backlog grows, no call is
// known to take less than the last.
func (t truth) response(k, delta float64) time.Duration {
	if t.growing() {
		k = perSec * window.Seconds()
	}
	return time.Duration((t.stop.Seconds() - (k+delta)/perSec + (k+1)*t.each.Seconds()) * float64(time.Second))
}
