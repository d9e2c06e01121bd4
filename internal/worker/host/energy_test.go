package host_test

import (
	"io/fs"
	"maps"
	"testing"
	"testing/fstest"

	"rpcbench/internal/worker/host"
)

// A powercap is the folder of the same name, whose counters a test sets.
type powercap struct{ fstest.MapFS }

// set writes a file with a line feed, as the kernel does.
func (p powercap) set(name, value string) {
	p.MapFS[name] = &fstest.MapFile{Data: []byte(value + "\n")}
}

// twoPackages is a machine with two packages that have parts, and a platform that holds both.
func twoPackages() powercap {
	p := powercap{fstest.MapFS{}}
	for zone, name := range map[string]string{
		"intel-rapl:0": "package-0", "intel-rapl:1": "package-1", "intel-rapl:2": "psys",
		"intel-rapl:0:0": "core", "intel-rapl:0:1": "dram", "intel-rapl-mmio:0": "package-0",
	} {
		p.set(zone+"/name", name)
		p.set(zone+"/max_energy_range_uj", "1000000")
		p.set(zone+"/energy_uj", "400000")
	}
	p.set("intel-rapl/enabled", "1")
	return p
}

func wantJoules(t *testing.T, e *host.Energy, want float64) {
	t.Helper()
	if got, known := e.Joules(); !known || got != want {
		t.Errorf("%v J, known %v; want %v J", got, known, want)
	}
}

func TestEnergyIsThatOfThePackages(t *testing.T) {
	t.Parallel()
	machine := twoPackages()
	e := host.OpenEnergy(machine)
	wantJoules(t, e, 0)
	machine.set("intel-rapl:0/energy_uj", "500000")
	machine.set("intel-rapl:1/energy_uj", "400010")
	for _, other := range []string{"intel-rapl:2", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl-mmio:0"} {
		machine.set(other+"/energy_uj", "999999")
	}
	e.Update()
	wantJoules(t, e, 0.10001)
}

func TestEnergyGoesOnWhenACounterBeginsAgain(t *testing.T) {
	t.Parallel()
	machine := twoPackages()
	e := host.OpenEnergy(machine)
	for _, reading := range []string{"900000", "100000", "600000", "50000"} {
		machine.set("intel-rapl:0/energy_uj", reading)
		e.Update()
	}
	wantJoules(t, e, 0.5+0.2+0.5+0.45)
}

func TestEnergyThatMayNotBeReadIsUnknown(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(powercap){
		"no RAPL":           func(p powercap) { clear(p.MapFS) },
		"no package":        func(p powercap) { p.set("intel-rapl:0/name", "psys"); p.set("intel-rapl:1/name", "psys") },
		"one is forbidden":  func(p powercap) { p.MapFS["intel-rapl:1/energy_uj"] = &fstest.MapFile{Mode: fs.ModeDir} },
		"no range":          func(p powercap) { delete(p.MapFS, "intel-rapl:0/max_energy_range_uj") },
		"no number":         func(p powercap) { p.set("intel-rapl:0/energy_uj", "") },
		"beyond its range":  func(p powercap) { p.set("intel-rapl:0/energy_uj", "1000001") },
		"a range too large": func(p powercap) { p.set("intel-rapl:0/max_energy_range_uj", "18446744073709551616") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			machine := twoPackages()
			spoil(machine)
			e := host.OpenEnergy(machine)
			if _, there := machine.MapFS["intel-rapl:0/energy_uj"]; there {
				machine.set("intel-rapl:0/energy_uj", "500")
			}
			e.Update()
			if joules, known := e.Joules(); known {
				t.Errorf("%v J", joules)
			}
		})
	}
}

func TestEnergyThatCanNoLongerBeReadIsUnknown(t *testing.T) {
	t.Parallel()
	machine := twoPackages()
	whole := maps.Clone(machine.MapFS)
	e := host.OpenEnergy(machine)
	delete(machine.MapFS, "intel-rapl:1/energy_uj")
	e.Update()
	maps.Copy(machine.MapFS, whole)
	e.Update()
	if joules, known := e.Joules(); known {
		t.Errorf("%v J, though a part was missed", joules)
	}
}
