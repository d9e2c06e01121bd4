package point

import (
	"time"

	"rpcbench/internal/plan/schedule"
)

// A Schedule changes a trial's load over time.
type Schedule = schedule.Schedule

// A Stage is a part of a Schedule.
type Stage = schedule.Stage

// WindowsKept is the number of windows that a trial keeps by default.
const WindowsKept = schedule.WindowsKept

// Due returns how many calls of an open load are expected to be due from the beginning to a time.
func (s Spec) Due(until time.Duration) float64 {
	if s.Schedule != nil {
		return s.Schedule.Area(until)
	}
	return s.OfferedPerSec * until.Seconds()
}

// wholeRamp is the schedule as it was given, however long: who reads a column by a program may want to give it again.
func wholeRamp(s Spec) string {
	if s.Schedule == nil {
		return ""
	}
	return s.Schedule.Name
}

// maxSchedule is the highest value of a schedule: calls a second of an open load, calls in flight of a closed one.
func (s Spec) maxSchedule() float64 {
	if s.Load == LoadClosed {
		return SlotsMax
	}
	return PerSecMax
}
