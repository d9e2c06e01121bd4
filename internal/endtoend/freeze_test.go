package endtoend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/conform"
	"rpcbench/internal/control"
	"rpcbench/internal/record"
)

const (
	perSec  = 200
	window  = 2500 * time.Millisecond
	stopFor = time.Second
	felt    = 100 * time.Millisecond // a call that takes longer has felt the stop

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
	for _, load := range []struct {
		client   string
		inFlight uint32
	}{{"grpc-go", 1}, {"grpc-go", 10}, {"grpc-go", 1000}, {"grpc-wire", 1}, {"grpc-wire", 10}, {"grpc-wire", 1000}} {
		t.Run(fmt.Sprintf("%s, %d in flight", load.client, load.inFlight), func(t *testing.T) {
			for attempt := 1; ; attempt++ {
				frozen := freeze(t, load.client, load.inFlight)
				err := frozen.judge(load.inFlight)
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
func freeze(t *testing.T, client string, inFlight uint32) *stopping {
	t.Helper()
	server, address := serve(t, "grpc-go", favoured...)
	c := command(client, address)
	c.InFlight = inFlight
	p := connect(t, c, favoured...)
	wantAll(t, "warm-up", measure(t, p, closed(2000)), "OK", 2000)

	s := &stopping{}
	intervals, stopped := 0, make(chan error, 1)
	done, err := p.Begin(t.Context(), open(), func(*control.Interval) {
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

// judge compares with the truth, and with what only this side can tell of calls in flight.
func (s *stopping) judge(inFlight uint32) error {
	stop := conform.Freeze{Least: s.least, Most: s.most, PerSec: perSec, Felt: felt}
	if _, err := stop.Judge(s.response, s.service); err != nil {
		return err
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
