// Package meter observes the host of this process: how late an idle thread wakes, the activity, energy use and frequency of all
// processors, throttling, and dropped packets.
package meter

import (
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// energyPeriod is the interval of reading energy counters, short enough that none wraps around unnoticed.
const energyPeriod = 10 * time.Second

// A Meter watches this machine.
type Meter struct {
	root, proc, powercap, processors fs.FS
	processes                        func() (end func() (usedNs *int64))
}

// New makes a Meter.
func New() *Meter {
	return &Meter{
		root: os.DirFS("/"), proc: os.DirFS("/proc"), powercap: os.DirFS("/sys/class/powercap"),
		processors: os.DirFS("/sys/devices/system/cpu"), processes: watchProcesses,
	}
}

// Begin starts observing. The returned function ends that and returns the result; it is called once.
func (m *Meter) Begin() (end func() *control.Watched) {
	energy := m.watchEnergy()
	frequency := m.watchFrequency()
	worst := &atomic.Int64{}
	hiccups := watchHiccups(host.Nap, worst)
	counted := m.count()
	processes := m.processes()
	times, timesKnown := host.ReadTimes(m.proc)
	used, begun := cpuOf(host.Self()), time.Now()
	course := m.watchCourse(begun, worst)
	return func() *control.Watched {
		seen := &control.Watched{ElapsedNs: time.Since(begun).Nanoseconds(), Parts: course()}
		if now, known := host.ReadTimes(m.proc); known && timesKnown {
			spent := now.Since(times)
			seen.BusyNs, seen.IdleNs = new(spent.Busy.Nanoseconds()), new(spent.Idle.Nanoseconds())
			seen.StealNs = new(spent.Steal.Nanoseconds())
		}
		seen.ProcessesNs = processes()
		now := m.count()
		seen.ThrottledNs, seen.HeatThrottles = since(counted.throttled, now.throttled), since(counted.heat, now.heat)
		seen.DroppedPackets = since(counted.dropped, now.dropped)
		if now := cpuOf(host.Self()); now > 0 {
			seen.CpuNs = new((now - used).Nanoseconds())
		}
		seen.EnergyJoules = energy()
		seen.FrequencyMhz = frequency()
		seen.Hiccups = hiccups()
		return seen
	}
}

// watchProcesses sums the CPU time of all processes until end, which returns nil if it is unknown.
func watchProcesses() (end func() (usedNs *int64)) {
	begun, known := host.ReadProcesses()
	return func() *int64 {
		if now, still := host.ReadProcesses(); known && still {
			return new(now.Since(begun).Nanoseconds())
		}
		return nil
	}
}

// cpuOf is 0 if the system does not report it.
func cpuOf(usage host.Usage) time.Duration { return usage.CPUUser + usage.CPUSystem }

// watchEnergy counts the packages' energy until end, which returns nil where it can't be known.
func (m *Meter) watchEnergy() (end func() *float64) {
	energy := host.OpenEnergy(m.powercap)
	if _, known := energy.Joules(); !known {
		return func() *float64 { return nil }
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(energyPeriod)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				energy.Update()
			case <-over:
				energy.Update()
				return
			}
		}
	}()
	return func() *float64 {
		close(over)
		<-ended
		joules, known := energy.Joules()
		if !known {
			return nil
		}
		return &joules
	}
}
