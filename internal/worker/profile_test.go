package worker_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/google/pprof/profile"

	"rpcbench/internal/worker/control"
)

// files collects pieces.
type files map[string]*bytes.Buffer

func (f files) take(p *control.Piece) error {
	if f[p.GetName()] == nil {
		f[p.GetName()] = &bytes.Buffer{}
	}
	f[p.GetName()].Write(p.GetData())
	return nil
}

var sink []byte

// allocateBefore and allocateDuring leave their names in a profile.
//
//go:noinline
func allocateBefore() { allocate() }

//go:noinline
func allocateDuring() { allocate() }

const allocatedBytes = 64 << 20

//go:noinline
func allocate() {
	for range allocatedBytes >> 20 {
		sink = make([]byte, 1<<20)
	}
}

func TestAProfileIsOfTheTimeBetweenBeginAndEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	allocateBefore()
	if err := s.Profile(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantFault(t, s.Profile(t.Context()), "profile")
	allocateDuring()
	got := files{}
	if err := s.EndProfile(t.Context(), got.take); err != nil {
		t.Fatal(err)
	}
	cpu, err := profile.Parse(got["cpu.pprof"])
	if err != nil || cpu.DurationNanos <= 0 || cpu.SampleType[1].Type != "cpu" {
		t.Errorf("cpu.pprof is %v, %v", cpu, err)
	}
	allocs, err := profile.Parse(got["allocs.pprof"])
	if err != nil {
		t.Fatal(err)
	}
	if n := allocatedBy(t, allocs, "allocateDuring"); n < allocatedBytes/2 || n > 2*allocatedBytes {
		t.Errorf("allocateDuring has %d bytes, about %d were allocated", n, allocatedBytes)
	}
	if n := allocatedBy(t, allocs, "allocateBefore"); n != 0 {
		t.Errorf("allocateBefore has %d bytes: they were there at the begin", n)
	}
	wantFault(t, s.EndProfile(t.Context(), got.take), "profile.end")
}

// allocatedBy sums alloc_space over the samples with a function.
func allocatedBy(t *testing.T, p *profile.Profile, function string) (sum int64) {
	t.Helper()
	if p.SampleType[1].Type != "alloc_space" {
		t.Fatalf("the second value is %s", p.SampleType[1].Type)
	}
	for _, sample := range p.Sample {
		for _, location := range sample.Location {
			if strings.HasSuffix(location.Line[0].Function.Name, "."+function) {
				sum += sample.Value[1]
			}
		}
	}
	return sum
}

func TestADumpDuringAPhaseDoesItNoHarm(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "tcp")
	client := open(t)
	if _, err := client.Connect(t.Context(), unary("tcp", address)); err != nil {
		t.Fatal(err)
	}
	got, dumped := files{}, make(chan error, 1)
	var ok int64
	var dumping sync.Once
	done, err := client.Begin(t.Context(), endless(), func(i *control.Interval) {
		if ok += i.GetOk(); ok == 0 {
			return
		}
		dumping.Do(func() {
			go func() {
				err := client.Dump(t.Context(), true, got.take)
				_, second := client.Begin(t.Context(), closed(1), ignore)
				wantFault(t, second, "begin")
				dumped <- err
				_ = client.Stop(t.Context()) // the phase's Done reports whether it came
			}()
		})
	})
	if err := <-dumped; err != nil {
		t.Fatal(err)
	}
	if err != nil || done.GetArrivals() != ok || done.GetOutcomes()[0].GetCalls() != done.GetArrivals() {
		t.Errorf("done %v, %v", done, err)
	}
	threads := got["threads.txt"].String()
	if !strings.HasPrefix(threads, "goroutine ") || !strings.Contains(threads, "load.(*phase)") {
		t.Errorf("threads.txt begins with %.200q", threads)
	}
	if heap, err := profile.Parse(got["heap.pprof"]); err != nil || heap.SampleType[3].Type != "inuse_space" {
		t.Errorf("heap.pprof is %v, %v", heap, err)
	}
}

func TestASnapshotTellsOfTheHeap(t *testing.T) {
	t.Parallel()
	s := mark(t, open(t))
	if used, held := s.GetHeapBytes(), s.GetHeapCommittedBytes(); used <= 0 || held < used {
		t.Errorf("%d bytes of heap in use, %d held", used, held)
	}
}
