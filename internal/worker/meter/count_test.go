package meter

import (
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

func TestTheMeterTellsWhatWasWithheldMeanwhile(t *testing.T) {
	t.Parallel()
	root := folder(map[string]string{"proc/self/cgroup": "0::/", "sys/fs/cgroup/cpu.stat": "throttled_usec 10"})
	proc := folder(map[string]string{"net/dev": "eth0: 0 0 0 5 0 0 0 0 0 0 0 1"})
	heat := folder(map[string]string{"cpu0/thermal_throttle/core_throttle_count": "4"})
	meter := &Meter{root: root, proc: proc, powercap: folder(nil), processors: heat, processes: using(nil)}
	end := meter.Begin()
	root["sys/fs/cgroup/cpu.stat"] = &fstest.MapFile{Data: []byte("throttled_usec 30")}
	proc["net/dev"] = &fstest.MapFile{Data: []byte("eth0: 0 0 0 8 0 0 0 0 0 0 0 1")}
	heat["cpu0/thermal_throttle/core_throttle_count"] = &fstest.MapFile{Data: []byte("6")}
	got := end()
	if got.ThrottledNs == nil || *got.ThrottledNs != 20_000 || got.GetDroppedPackets() != 3 || got.GetHeatThrottles() != 2 ||
		got.FrequencyMhz != nil {
		t.Errorf("got %+v", got)
	}
}

// A changingFolder has a processor that runs faster by 100 MHz each second.
type changingFolder struct {
	fstest.MapFS
	begun time.Time
}

func (c changingFolder) ReadFile(string) ([]byte, error) {
	return []byte(map[int]string{0: "1000000", 1: "1100000", 2: "1200000", 3: "1300000"}[int(time.Since(c.begun)/time.Second)]), nil
}

func TestTheFrequencyIsAnAverageOverTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sys := changingFolder{folder(map[string]string{"cpu0/cpufreq/scaling_cur_freq": "0"}), time.Now()}
		end := (&Meter{processors: sys}).watchFrequency()
		time.Sleep(3500 * time.Millisecond)
		if mhz := end(); mhz == nil || *mhz != 1200 {
			t.Errorf("got %v, want 1200", mhz)
		}
		end = (&Meter{processors: sys}).watchFrequency()
		if mhz := end(); mhz == nil || *mhz != 1300 {
			t.Errorf("too short for a second: got %v, want 1300", mhz)
		}
	})
}
