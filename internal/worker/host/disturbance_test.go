package host

import (
	"testing"
	"testing/fstest"
	"time"
)

func files(of map[string]string) fstest.MapFS {
	made := fstest.MapFS{}
	for name, text := range of {
		made[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return made
}

func TestThrottlingIsThatOfTheGroupThatLostMost(t *testing.T) {
	t.Parallel()
	const v2 = "usage_usec 9\nnr_periods 4\nnr_throttled 2\nthrottled_usec "
	for name, c := range map[string]struct {
		files map[string]string
		want  time.Duration
		known bool
	}{
		"version 2": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.stat": v2 + "1500\nnr_bursts 0\n",
		}, 1500 * time.Microsecond, true},
		"a quota around it": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.stat": v2 + "1\n", "sys/fs/cgroup/a/cpu.stat": v2 + "7\n",
		}, 7 * time.Microsecond, true},
		"in a container": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.stat": v2 + "3\n",
		}, 3 * time.Microsecond, true},
		"version 1": {map[string]string{
			"proc/self/cgroup":                     "4:memory:/m\n2:cpu,cpuacct:/x\n0::/\n",
			"sys/fs/cgroup/cpu,cpuacct/x/cpu.stat": "nr_periods 1\nthrottled_time 5\n",
		}, 5, true},
		"version 1, whose path is of the host": {map[string]string{
			"proc/self/cgroup": "2:cpu:/docker/x\n", "sys/fs/cgroup/cpu/cpu.stat": "throttled_time 6\n",
		}, 6, true},
		"no quota":  {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.stat": "usage_usec 9\n"}, 0, false},
		"no number": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.stat": v2 + "-3\n"}, 0, false},
		"no group":  {map[string]string{"proc/self/cgroup": "nothing\n"}, 0, false},
		"another path": {map[string]string{
			"proc/self/cgroup": "0::/../../a\n", "sys/fs/cgroup/a/cpu.stat": v2 + "2\n",
		}, 2 * time.Microsecond, true},
		"nothing": {nil, 0, false},
	} {
		if got, known := Throttled(files(c.files)); got != c.want || known != c.known {
			t.Errorf("%s: %v, %v, want %v, %v", name, got, known, c.want, c.known)
		}
	}
}

func TestFrequencyAndHeatAreOfAllProcessors(t *testing.T) {
	t.Parallel()
	sys := files(map[string]string{
		"cpu0/cpufreq/scaling_cur_freq": "2000000\n", "cpu1/cpufreq/scaling_cur_freq": "3000000\n",
		"cpu0/thermal_throttle/core_throttle_count": "2\n", "cpu1/thermal_throttle/core_throttle_count": "5\n",
		"cpuidle/thermal_throttle/core_throttle_count": "100\n",
	})
	if mhz, known := FrequencyMHz(sys); mhz != 2500 || !known {
		t.Errorf("%v MHz, %v", mhz, known)
	}
	if times, known := HeatThrottles(sys); times != 7 || !known {
		t.Errorf("%d times, %v", times, known)
	}
	if _, known := FrequencyMHz(files(nil)); known {
		t.Error("a frequency of nothing")
	}
	if _, known := HeatThrottles(files(nil)); known {
		t.Error("heat of nothing")
	}
}

func TestDroppedPacketsAreThoseOfInterfacesAndQueues(t *testing.T) {
	t.Parallel()
	proc := files(map[string]string{
		"net/dev": "Inter-|   Receive    |  Transmit\n face |bytes packets errs drop fifo frame compressed multicast|bytes\n" +
			"    lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n  eth0:1 2 3 40 5 6 7 8 9 10 11 120 13 14 15 16\n",
		"net/softnet_stat": "00000001 00000010 00000000\n00000001 0000000a 00000000\n",
	})
	if got, known := DroppedPackets(proc); got != 4+12+40+120+16+10 || !known {
		t.Errorf("%d, %v", got, known)
	}
	if _, known := DroppedPackets(files(nil)); known {
		t.Error("packets of nothing")
	}
}
