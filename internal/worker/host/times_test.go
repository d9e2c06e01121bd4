package host_test

import (
	"os"
	"testing"
	"testing/fstest"
	"time"

	"rpcbench/internal/worker/host"
)

// procWith is a /proc with the given stat.
func procWith(stat string) fstest.MapFS { return fstest.MapFS{"stat": {Data: []byte(stat)}} }

func readTimes(t *testing.T, stat string) host.Times {
	t.Helper()
	times, known := host.ReadTimes(procWith(stat))
	if !known {
		t.Fatalf("nothing known from %q", stat)
	}
	return times
}

func TestTimesAreToldApart(t *testing.T) {
	t.Parallel()
	before := readTimes(t, "cpu  100 20 30 4000 50 6 7 80 9 1\ncpu0 1 2 3 4 5 6 7 8 9 10\n")
	after := readTimes(t, "cpu  201 22 33 4400 55 60 70 87 500 600\ncpu0 1 2 3 4 5 6 7 8 9 10\n")
	want := host.Spent{
		Busy: (101 + 2 + 3 + 54 + 63) * 10 * time.Millisecond, Idle: 405 * 10 * time.Millisecond, Steal: 70 * time.Millisecond,
	}
	if got := after.Since(before); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := before.Since(after); got != (host.Spent{}) {
		t.Errorf("counters that went back are %+v, want nothing", got)
	}
}

func TestTimesThatAreNotToldAreUnknown(t *testing.T) {
	t.Parallel()
	for _, stat := range []string{"", "cpu0 1 2 3 4 5 6 7 8\n", "cpu 1 2 3 4 5 6 7\n", "cpu 1 2 3 4 5 6 7 x\n",
		"cpu 1 2 3 4 5 6 7 -8"} {
		if times, known := host.ReadTimes(procWith(stat)); known {
			t.Errorf("%q is %+v", stat, times)
		}
	}
	if times, known := host.ReadTimes(fstest.MapFS{}); known {
		t.Errorf("no file is %+v", times)
	}
}

func TestThisMachinesTimesGoOn(t *testing.T) {
	t.Parallel()
	proc := os.DirFS("/proc")
	before, known := host.ReadTimes(proc)
	if !known {
		t.Skip("the system does not tell")
	}
	var spent host.Spent
	for until := time.Now().Add(3 * time.Minute); spent.Busy == 0 && time.Now().Before(until); { // which is work
		after, _ := host.ReadTimes(proc)
		spent = after.Since(before)
	}
	if spent.Busy <= 0 || spent.Busy > time.Hour {
		t.Errorf("what this test worked is %+v", spent)
	}
}

// FuzzReadTimes checks that no input panics, and that no two inputs yield a negative time.
func FuzzReadTimes(f *testing.F) {
	f.Add("cpu  100 20 30 4000 50 6 7 80 9 1\n", "cpu  101 20 30 4100 50 6 7 80 9 1\n")
	f.Add("cpu 0 0 0 0 0 0 0 0", "cpu 1152921504606846975 1 1 1152921504606846975 1 1 1 1")
	f.Add("cpu", "cpu 1 2 3 4 5 6 7 99999999999999999999")
	f.Fuzz(func(t *testing.T, one, other string) {
		a, _ := host.ReadTimes(procWith(one))
		b, _ := host.ReadTimes(procWith(other))
		if spent := b.Since(a); spent.Busy < 0 || spent.Idle < 0 || spent.Steal < 0 {
			t.Errorf("%+v", spent)
		}
	})
}
