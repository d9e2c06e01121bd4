package report

import (
	"math"
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// asTheyAre is the scale of figures that have no unit, or whose head names it.
var asTheyAre = number.Scale{By: 1}

// maxDecimals is the maximum number of decimals in a column where each figure has its own digits.
const maxDecimals = 3

// ownTimes are times with a unit each.
var ownTimes = number.Format{Unit: number.Nanoseconds, Each: true, Decimals: maxDecimals}

// formatOf chooses units and decimals for a column, from the medians of its rows in their base unit. Columns of a kind share
// a unit, so that they can be read against each other.
func (v *view) formatOf(f figureColumn, medians []float64) number.Format {
	scale, isTime := f.scale()
	switch far := v.farApart(); {
	case f.ratio == floorRatio:
		return number.Format{Scale: scale, Decimals: 1}
	case f.ratio != nil && f.ratio.own:
		return number.Format{Scale: scale, Each: true, Decimals: 2}
	case f.ratio == nil && f.metric.Declare().Kind.IsWhole():
		return number.Format{Scale: scale}
	case far && scale == asTheyAre:
		return number.Format{Scale: scale, Each: true, Decimals: maxDecimals}
	case far && isTime:
		return ownTimes
	case scale.By == 0:
		return number.Fixed(v.scaleOf(f.metric.Declare().Kind, medians), medians)
	default:
		return number.Fixed(scale, medians)
	}
}

// scale returns the unit of the column, the zero Scale if its figures decide, and whether they are times, each of which may have
// its own unit.
func (f figureColumn) scale() (scale number.Scale, isTime bool) {
	switch {
	case f.ratio != nil:
		return asTheyAre, false
	case f.bare:
		return asTheyAre, false
	default:
		kind := f.metric.Declare().Kind
		return kind.Scale(), kind.Unit() == number.Nanoseconds && kind != analysis.EachSecond
	}
}

// scaleOf returns the scale of all columns of a kind whose figures decide it: of calls by their medians, of processor time
// by the client's.
func (v *view) scaleOf(kind analysis.Kind, medians []float64) number.Scale {
	metric := analysis.ResponseP50Ns
	if kind == analysis.CPUTime {
		metric = analysis.ClientCPUPerCall
		if naming.QuestionOf(v.rows) == naming.Streaming {
			metric = analysis.ClientCPUPerMessage
		}
	}
	if told := v.medians(metric); len(told) > 0 {
		medians = told
	}
	return kind.Unit().Common(medians)
}

func (v *view) medians(m analysis.Metric) []float64 {
	var values []float64
	for _, row := range v.rows {
		if s, ok := row.Summary(m); ok {
			values = append(values, s.Median)
		}
	}
	return values
}

// farTimes is the maximum ratio of the longest to the shortest time of a table that share a unit.
const farTimes = 1000

// farApart reports whether a common unit for all times of the table would leave the shortest with fewer than two digits or the
// longest with too many, for example if one row is over loopback and another across an ocean.
func (v *view) farApart() bool { return farApart(v.medians(analysis.ResponseP50Ns)) }

func farApart(times []float64) bool {
	if len(times) == 0 {
		return false
	}
	alike := number.Fixed(number.Nanoseconds.Common(times), times)
	least, most := slices.Min(times), slices.Max(times)
	return least/alike.Scale.By < math.Pow10(1-alike.Decimals) || most >= farTimes*least
}
