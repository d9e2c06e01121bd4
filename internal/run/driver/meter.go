package driver

import (
	"io/fs"
	"os"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/host"
)

// A Meter reads what the host does while a trial is measured.
type Meter interface {
	// Begin begins to read. The function that it returns ends that, and tells what was read since; it is called once.
	Begin() (end func() result.HostUse)
}

// energyPeriod is how often energy is read, so that no counter runs through its range unseen.
const energyPeriod = 10 * time.Second

// A HostMeter is the Meter of this machine.
type HostMeter struct{ proc, powercap fs.FS }

// NewMeter makes a HostMeter.
func NewMeter() *HostMeter {
	return &HostMeter{proc: os.DirFS("/proc"), powercap: os.DirFS("/sys/class/powercap")}
}

// Begin implements Meter.
func (m *HostMeter) Begin() (end func() result.HostUse) {
	energy := m.watchEnergy()
	hiccups := watchHiccups(host.Nap)
	times, timesKnown := host.ReadTimes(m.proc)
	used, begun := cpuOf(host.Self()), time.Now()
	return func() result.HostUse {
		use := result.HostUse{ElapsedNs: time.Since(begun).Nanoseconds()}
		if now, known := host.ReadTimes(m.proc); known && timesKnown {
			spent := now.Since(times)
			use.CPU = &result.HostCPU{
				BusyNs: spent.Busy.Nanoseconds(), IdleNs: spent.Idle.Nanoseconds(), StealNs: spent.Steal.Nanoseconds(),
			}
		}
		if now := cpuOf(host.Self()); now > 0 {
			use.DriverCPUNs = new((now - used).Nanoseconds())
		}
		use.EnergyJoules = energy()
		use.Hiccups = hiccups()
		return use
	}
}

// cpuOf is 0 where the system does not tell.
func cpuOf(usage host.Usage) time.Duration { return usage.CPUUser + usage.CPUSystem }

// watchEnergy counts the packages' energy until end, which returns nil where it can't be known.
func (m *HostMeter) watchEnergy() (end func() *float64) {
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
