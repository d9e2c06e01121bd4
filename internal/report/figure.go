package report

import (
	"math"
	"slices"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// A format is how the cells of a column of figures are printed.
type format struct {
	unit   scale // of all cells; without a name where cells have units of their own
	digits int   // decimals of all cells
	own    bool  // each cell has three digits of its own instead
	time   bool  // with own: and a unit of its own
	most   int   // with own: decimals at most
}

// formatOf chooses units and decimals for a column, from the medians of its rows in their base unit.
func (v *view) formatOf(f figureColumn, medians []float64) format {
	of := f.measure()
	unit := v.scaleOf(of)
	scaled := scaledBy(medians, unit)
	fixed := format{unit: unit, digits: decimals(scaled)}
	isTime := of == callTime || of == cpuTime || of == shareTime
	switch {
	case f.ratio == floorRatio:
		fixed.digits = 1
	case f.ratio != nil && f.ratio.own:
		return format{unit: unit, own: true, most: 2}
	case of == wholeNumber:
		fixed.digits = 0
	case isTime && v.farApart():
		return format{unit: scale{by: 1}, own: true, time: true, most: 3}
	case of == asItIs && v.farApart():
		return format{unit: unit, own: true, most: 3}
	}
	return fixed
}

// farTimes is how many times as long as the shortest the longest time of a table may be to share its unit.
const farTimes = 1000

// farApart tells whether one unit for all times of the table would leave the shortest fewer than two digits, or the longest
// too many, as where one row goes over loopback and another across an ocean.
func (v *view) farApart() bool { return farApart(v.medians(analysis.ResponseP50Ns)) }

func farApart(times []float64) bool {
	if len(times) == 0 {
		return false
	}
	scaled := scaledBy(times, timeScale(times))
	least, most := slices.Min(scaled), slices.Max(scaled)
	return least < math.Pow10(1-decimals(scaled)) || most >= farTimes*least
}

func scaledBy(values []float64, unit scale) []float64 {
	scaled := make([]float64, len(values))
	for i, value := range values {
		scaled[i] = value / unit.by
	}
	return scaled
}

// cell prints a figure; nil is absent.
func (f format) cell(s *stat.Summary, spread bool) cell {
	if s == nil {
		return cell{value: absent}
	}
	unit, digits, behind := f.unit, f.digits, ""
	if f.time {
		unit = unitOf(s.Median)
		behind = " " + unit.unit
	}
	if f.own {
		digits = min(significant(s.Median/unit.by), f.most)
	}
	c := cell{value: grouped(s.Median/unit.by, digits) + behind}
	if spread {
		c.spread = between(*s, unit.by, digits)
	}
	return c
}
