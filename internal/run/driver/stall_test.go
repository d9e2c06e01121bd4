package driver

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/evidence"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// A beat is one interval of 100 ms, or longer.
type beat struct {
	ok, errors, inFlight int64
	longer               time.Duration
}

var (
	works = beat{ok: 5, inFlight: 1}
	hangs = beat{inFlight: 1}
	rests = beat{}
	fails = beat{errors: 1, inFlight: 1}
)

func beats(n int, b beat) []beat {
	var all []beat
	for range n {
		all = append(all, b)
	}
	return all
}

func TestAStallIsCallsInFlightAndNoneCompleted(t *testing.T) {
	t.Parallel()
	const s, interval = int64(time.Second), int64(100 * time.Millisecond)
	stalled := func(since, lasting int64) *result.Stalled {
		return &result.Stalled{SinceNs: since * interval, DurationNs: lasting * interval}
	}
	for name, c := range map[string]struct {
		deadline int64
		beats    []beat
		found    int // the interval in which it is found, from 1; 0 is never
		want     *result.Stalled
	}{
		"works":            {s / 2, beats(30, works), 0, nil},
		"nothing is asked": {s / 2, beats(30, rests), 0, nil},
		"just not":         {s / 2, append(append(beats(1, works), beats(9, hangs)...), works), 0, nil},
		"from the begin":   {s / 2, beats(12, hangs), 10, stalled(0, 12)},
		"to the end":       {s / 2, append(beats(3, works), beats(11, hangs)...), 13, stalled(3, 11)},
		"and works again": {
			s / 2, append(append(beats(1, works), beats(11, hangs)...), works, hangs, works), 11, stalled(1, 12),
		},
		"twice, the first": {
			s / 2, append(append(beats(11, hangs), works), beats(20, hangs)...), 10, stalled(0, 12),
		},
		"after a rest":     {s / 2, append(beats(20, rests), beats(10, hangs)...), 30, stalled(20, 10)},
		"fails at once":    {s / 2, beats(30, fails), 0, nil},
		"deadlines end it": {s / 2, append(beats(5, hangs), fails, hangs, hangs, fails, hangs), 10, stalled(0, 10)},
		"fails in time":    {s, append(beats(4, hangs), append([]beat{fails}, beats(6, hangs)...)...), 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			watch := &stallWatch{limit: s, deadline: c.deadline}
			found := 0
			for i, b := range c.beats {
				end := int64(i+1) * interval
				if watch.see(&control.Interval{EndNs: end, Ok: b.ok, Errors: b.errors, InFlight: b.inFlight}) {
					if found != 0 {
						t.Errorf("found again in interval %d", i+1)
					}
					found = i + 1
				}
			}
			if diff := cmp.Diff(c.want, watch.stalled); diff != "" || found != c.found {
				t.Errorf("found in interval %d, want %d (-want +got):\n%s", found, c.found, diff)
			}
		})
	}
}

func TestAClientThatStandsStillIsAStall(t *testing.T) {
	t.Parallel()
	const ms = int64(time.Millisecond)
	watch := &stallWatch{limit: 10_000 * ms}
	for _, i := range []*control.Interval{
		{StartNs: 0, EndNs: 100 * ms, Ok: 5, InFlight: 1},
		{StartNs: 100 * ms, EndNs: 1099 * ms, Ok: 5, InFlight: 1},
	} {
		if watch.stoodStill(i) || watch.see(i) {
			t.Fatalf("an interval from %d to %d is a stall", i.GetStartNs(), i.GetEndNs())
		}
	}
	if !watch.stoodStill(&control.Interval{StartNs: 1099 * ms, EndNs: 4099 * ms, Ok: 5, InFlight: 1}) {
		t.Fatal("3 s within one interval are none")
	}
	want := &result.Stalled{SinceNs: 1099 * ms, DurationNs: 3000 * ms, Client: true}
	if diff := cmp.Diff(want, watch.stalled); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	watch.stalled.Phase = result.PhaseMeasured
	if got := watch.stalled.String(); got != "1.1 s after its measured phase began the client itself was paused for 3.0 s" {
		t.Errorf("it says %q", got)
	}
}

// A call that is as long as it was asked to be is no stall.
func TestALongCallIsNoStall(t *testing.T) {
	t.Parallel()
	for want, spec := range map[time.Duration]plan.Spec{
		10 * time.Second: {},
		24 * time.Second: {SampleNs: int64(12 * time.Second)},
		40 * time.Second: {Method: &plan.Method{}, Messages: 31, MessageRatePerSec: 1},
	} {
		s := &sides{
			driver:    &driver{Config: Config{Stall: 10 * time.Second}},
			sideTrial: sideTrial{spec: spec, evidence: &result.Trial{Clients: []result.Client{{}}}},
		}
		if got := time.Duration(s.watchStall(t.Context(), control.Measured, 0).watch.limit); got != want {
			t.Errorf("%s: called stalled after %v, want %v", spec, got, want)
		}
	}
}

func TestAPieceCannotLeadOutOfTheFolder(t *testing.T) {
	t.Parallel()
	kept := &store{folder: evidence.Folder(t.TempDir()), prefix: "t1-client-", left: maxStoredBytes}
	for _, name := range []string{"", "../threads.txt", "/tmp/threads.txt", `..\threads.txt`, "a/b", "C:x"} {
		if err := kept.keep(&control.Piece{Name: name}); err == nil {
			t.Errorf("a piece of %q was kept", name)
		}
	}
	if kept.names != nil {
		t.Errorf("files %q were kept", kept.names)
	}
}

// A worker that sends pieces forever would have a trial last forever, even if they are empty.
func TestPiecesWithoutEndAreRefused(t *testing.T) {
	t.Parallel()
	for _, data := range [][]byte{nil, make([]byte, 1000)} {
		kept := &store{folder: evidence.Folder(t.TempDir()), left: 3 * (minPiece + 1000)}
		t.Cleanup(func() { _ = kept.close() })
		for i := range 10 {
			err := kept.keep(&control.Piece{Name: "threads.txt", Data: data})
			if err == nil {
				continue
			}
			if i < 3 || err.Error() != "the worker sent more than 64 GiB of files" {
				t.Errorf("piece %d: %v", i, err)
			}
			break
		}
		if kept.left > 0 {
			t.Errorf("%d bytes are left", kept.left)
		}
	}
}

func TestFilesWithoutEndAreRefused(t *testing.T) {
	t.Parallel()
	kept := &store{folder: evidence.Folder(t.TempDir()), left: maxStoredBytes}
	t.Cleanup(func() { _ = kept.close() })
	for i := range maxFiles + 1 {
		err := kept.keep(&control.Piece{Name: strconv.Itoa(i)})
		if refused := err != nil; refused != (i == maxFiles) {
			t.Fatalf("file %d: %v", i, err)
		}
	}
}
