package host

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Energy is what the machine's processor packages have used since it was opened, as RAPL counts it (the kernel's
// Documentation/power/powercap/powercap.rst). What is within a package, such as its cores, is counted with it; what is
// beside, such as disks and the power supply, is not. It is not for concurrent use.
type Energy struct {
	powercap fs.FS
	packages []*energyCounter
	used     uint64 // in µJ
	known    bool
}

// An energyCounter is of one package. It begins again at 0 when it has reached its range.
type energyCounter struct {
	zone     string // its folder
	span, at uint64 // its range, and the last reading, in µJ
}

// OpenEnergy begins to count, in the folder that /sys/class/powercap is.
func OpenEnergy(powercap fs.FS) *Energy {
	e := &Energy{powercap: powercap}
	zones, _ := fs.Glob(powercap, "intel-rapl:*") // the pattern is a good one; AMD's processors have this name too
	for _, zone := range zones {
		if name, _ := e.read(zone, "name"); strings.HasPrefix(name, "package-") {
			e.packages = append(e.packages, &energyCounter{zone: zone})
		}
	}
	e.known = len(e.packages) > 0
	for _, p := range e.packages {
		var rangeKnown, valueKnown bool
		p.span, rangeKnown = e.count(p.zone, "max_energy_range_uj")
		p.at, valueKnown = e.count(p.zone, "energy_uj")
		e.known = e.known && rangeKnown && valueKnown
	}
	return e
}

// Update reads the counters. It has to come at least once in the time in which a counter runs through its range: at
// 65 kJ, the shortest usual one, and 300 W those are 3 minutes and a half.
func (e *Energy) Update() {
	for _, p := range e.packages {
		now, known := e.count(p.zone, "energy_uj")
		switch {
		case !known:
			e.known = false
		case now >= p.at:
			e.used += now - p.at
		case p.at <= p.span:
			e.used += p.span - p.at + now
		default: // it was beyond its range, so nobody knows where it began again
			e.known = false
		}
		p.at = now
	}
}

// Joules returns the energy of all packages up to the last Update; false where there is none to be known, or it may not
// be read (it is often the superuser's alone).
func (e *Energy) Joules() (joules float64, known bool) {
	return float64(e.used) / 1e6, e.known
}

func (e *Energy) count(zone, name string) (uint64, bool) {
	text, ok := e.read(zone, name)
	n, err := strconv.ParseUint(text, 10, 64)
	return n, ok && err == nil
}

func (e *Energy) read(zone, name string) (string, bool) {
	data, err := fs.ReadFile(e.powercap, path.Join(zone, name))
	return strings.TrimSpace(string(data)), err == nil
}
