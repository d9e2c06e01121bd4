package host

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Energy is the energy that the machine's processor packages have used since it was opened, as counted by RAPL (the kernel's
// Documentation/power/powercap/powercap.rst). It includes parts of a package, such as its cores, but not other devices, such as
// disks and the power supply. It is not safe for concurrent use.
type Energy struct {
	powercap fs.FS
	packages []*energyCounter
	used     uint64 // in µJ
	known    bool
}

// An energyCounter is the counter of one package. It wraps around to 0 at the end of its range.
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

// Update reads the counters. It must be called at least once in the time in which a counter runs through its range: three and a
// half minutes at 65 kJ, the shortest usual range, and 300 W.
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
