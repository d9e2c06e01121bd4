package meter

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"rpcbench/internal/worker/control"
)

// A busyMachine is a /proc whose processors work for 10 of its ticks in each second, and are stolen for 2.
type busyMachine struct {
	fstest.MapFS

	begun time.Time
}

func (b busyMachine) ReadFile(string) ([]byte, error) {
	seconds := int(time.Since(b.begun) / time.Second)
	return fmt.Appendf(nil, "cpu %d 0 0 0 0 0 0 %d\n", 10*seconds, 2*seconds), nil
}

func TestACourseHasEachSecondWithItsLongestHiccup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		worst := &atomic.Int64{}
		end := (&Meter{proc: busyMachine{begun: time.Now()}}).watchCourse(time.Now(), worst)
		time.Sleep(500 * time.Millisecond)
		worst.Store(7e6)
		time.Sleep(2 * time.Second)
		want := []*control.WatchedPart{
			{StartNs: 0, EndNs: 1e9, HiccupMaxNs: 7e6, BusyNs: new(int64(100e6)), StealNs: new(int64(20e6))},
			{StartNs: 1e9, EndNs: 2e9, BusyNs: new(int64(100e6)), StealNs: new(int64(20e6))},
		}
		if diff := cmp.Diff(want, end(), protocmp.Transform()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestALongCourseHasLongerParts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		worst := &atomic.Int64{}
		end := (&Meter{proc: folder(nil)}).watchCourse(time.Now(), worst)
		worst.Store(9)
		time.Sleep(maxParts*time.Second + 3*time.Second)
		parts := end()
		last := parts[len(parts)-1]
		if len(parts) != maxParts/2+1 || parts[0].EndNs != 2e9 || parts[0].HiccupMaxNs != 9 || last.EndNs != (maxParts+2)*1e9 ||
			last.BusyNs != nil {
			t.Errorf("%d parts, from %v to %v", len(parts), parts[0], last)
		}
	})
}
