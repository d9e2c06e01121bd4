package meter

import (
	"fmt"
	"path"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/host"
)

// folder is one of the kernel's, with these files.
func folder(files map[string]string) fstest.MapFS {
	made := fstest.MapFS{}
	for name, content := range files {
		made[name] = &fstest.MapFile{Data: []byte(content + "\n")}
	}
	return made
}

// using simulates the CPU time of all processes.
func using(ns *int64) func() func() *int64 {
	return func() func() *int64 { return func() *int64 { return ns } }
}

func TestTheMeterReadsWhatTheKernelCounts(t *testing.T) {
	t.Parallel()
	proc := folder(map[string]string{"stat": "cpu 1 2 3 4 5 6 7 8"})
	powercap := folder(map[string]string{
		"intel-rapl:0/name": "package-0", "intel-rapl:0/energy_uj": "9000000", "intel-rapl:0/max_energy_range_uj": "10000000",
	})
	meter := &Meter{root: folder(nil), proc: proc, powercap: powercap, processors: folder(nil), processes: using(new(int64(7e7)))}
	end := meter.Begin()
	proc["stat"] = &fstest.MapFile{Data: []byte("cpu 11 2 3 104 5 6 7 10")}
	powercap["intel-rapl:0/energy_uj"] = &fstest.MapFile{Data: []byte("500000")}
	before := cpuOf(host.Self())
	for cpuOf(host.Self()) == before { // it uses processor time, which is the driver's own
	}
	used := cpuOf(host.Self()) - before
	got := end()
	if got.EnergyJoules == nil || *got.EnergyJoules != 1.5 {
		t.Errorf("energy %v, want 1.5 J", got.EnergyJoules)
	}
	if got.GetBusyNs() != 100e6 || got.GetIdleNs() != 1000e6 || got.GetStealNs() != 20e6 {
		t.Errorf("processors %v", got)
	}
	if got.GetProcessesNs() != 7e7 {
		t.Errorf("processes %v, want 70 ms", got.ProcessesNs)
	}
	if time.Duration(got.GetCpuNs()) < used {
		t.Errorf("itself %v, used %v", got.CpuNs, used)
	}
	if h := got.GetHiccups(); h.Calls < 1 || h.P50Ns > h.P99Ns || h.P99Ns > h.MaxNs {
		t.Errorf("hiccups %+v", h)
	}
}

func TestWhatTheSystemDoesNotTellIsAbsent(t *testing.T) {
	t.Parallel()
	none := folder(nil)
	end := (&Meter{root: none, proc: none, powercap: none, processors: none, processes: using(nil)}).Begin()
	got := end()
	if got.BusyNs != nil || got.IdleNs != nil || got.StealNs != nil || got.EnergyJoules != nil || got.Hiccups.Calls < 1 ||
		got.ThrottledNs != nil || got.FrequencyMhz != nil || got.HeatThrottles != nil || got.DroppedPackets != nil ||
		got.ProcessesNs != nil {
		t.Errorf("got %+v", got)
	}
}

// A runningCounter is the folder of one package, which uses 0.3 J a second and counts to 10 J.
type runningCounter struct {
	fstest.MapFS
	begun time.Time
}

func (c runningCounter) ReadFile(name string) ([]byte, error) {
	if path.Base(name) == "energy_uj" {
		return fmt.Append(nil, time.Since(c.begun).Microseconds()*3/10%10_000_000), nil
	}
	return c.MapFS.ReadFile(name)
}

// In 2 minutes its counter begins again three times.
func TestEnergyIsReadWhileATrialIsLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		powercap := runningCounter{folder(map[string]string{
			"intel-rapl:0/name": "package-0", "intel-rapl:0/max_energy_range_uj": "10000000",
		}), time.Now()}
		end := (&Meter{powercap: powercap}).watchEnergy()
		time.Sleep(2 * time.Minute)
		if joules := end(); joules == nil || *joules != 36 {
			t.Errorf("got %v, want 36 J", joules)
		}
	})
}
