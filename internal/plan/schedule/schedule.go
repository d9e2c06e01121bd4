// Package schedule defines loads that change over time: the rate of an open loop, or the calls in flight of a closed one,
// in steps or in a line. It is pure.
package schedule

import (
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/number"
)

// Limits of schedules.
const (
	StagesMax   = 10_000
	RateMax     = 10_000_000 // calls a second
	InFlightMax = 1_000_000  // calls on all connections together
	LengthMax   = 24 * time.Hour
)

// stageMin is the minimum duration of a stage.
const stageMin = time.Millisecond

// A Stage is a part of a load that goes in a line from one value to another: calls a second of an open load, calls in
// flight of a closed one, of all connections together.
type Stage struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	LengthNs int64   `json:"length_ns"`
}

// A Schedule is stages, one after another, by the name that the user gave them. Behind the last its end's value goes on.
type Schedule struct {
	Name   string  `json:"name"` // "line:100..1000/s@60s"
	Stages []Stage `json:"stages"`
}

// partsShown is the largest number of parts that a reader is shown, endsShown how many of the first and of the last are shown if
// there are more.
const (
	partsShown = 8
	endsShown  = 3
)

// String is the name for a reader, "" without a schedule. The middle of a long one is left out, with a checksum of the whole:
// points and rows whose schedules differ only there are not called the same.
func (s *Schedule) String() string {
	if s == nil {
		return ""
	}
	parts := strings.Split(s.Name, joint)
	left := len(parts) - 2*endsShown
	if len(parts) <= partsShown {
		return s.Name
	}
	middle := fmt.Sprintf("… %s more (%08x) …", number.Whole(left), crc32.ChecksumIEEE([]byte(s.Name)))
	return strings.Join(slices.Concat(parts[:endsShown], []string{middle}, parts[endsShown+left:]), joint)
}

// Check returns an error if the schedule has no stages or too many of them, lasts too long, or leaves the range from 0 to most.
func (s *Schedule) Check(most float64) error {
	if n := len(s.Stages); n == 0 || n > StagesMax {
		return fmt.Errorf("it has %d steps; it needs 1 to %d", n, StagesMax)
	}
	for _, stage := range s.Stages {
		switch length := time.Duration(stage.LengthNs); {
		case length < stageMin:
			return fmt.Errorf("a step of %v is shorter than the minimum of %v", length, stageMin)
		case length > LengthMax:
			return tooLong(length)
		case !(stage.From >= 0 && stage.To >= 0 && stage.From <= most && stage.To <= most):
			return fmt.Errorf("a step from %v to %v is not between 0 and %v", stage.From, stage.To, most)
		}
	}
	if s.Length() > LengthMax {
		return tooLong(s.Length())
	}
	return nil
}

func tooLong(length time.Duration) error {
	return fmt.Errorf("it takes %v, above the limit of %v", length, LengthMax)
}

// Mean is the mean value from one time to a later one.
func (s *Schedule) Mean(from, to time.Duration) float64 {
	return (s.Area(to) - s.Area(from)) / (to - from).Seconds()
}

// Most is the highest value.
func (s *Schedule) Most() float64 {
	most := 0.0
	for _, stage := range s.Stages {
		most = max(most, stage.From, stage.To)
	}
	return most
}

// Area returns the integral of the values over the seconds from the beginning to a time: 0 for a schedule without stages, as in a
// damaged results file.
func (s *Schedule) Area(until time.Duration) float64 {
	sum, left := 0.0, until.Seconds()
	if left <= 0 || len(s.Stages) == 0 {
		return 0
	}
	for _, stage := range s.Stages {
		length := time.Duration(stage.LengthNs).Seconds()
		t := math.Min(left, length)
		sum += stage.From*t + (stage.To-stage.From)/length*t*t/2
		if left -= t; left <= 0 {
			return sum
		}
	}
	return sum + s.Stages[len(s.Stages)-1].To*left
}

// Length returns the duration of all stages.
func (s *Schedule) Length() time.Duration {
	sum := time.Duration(0)
	for _, stage := range s.Stages {
		sum += time.Duration(stage.LengthNs)
	}
	return sum
}

// Divided is one of n equal parts of the schedule, nil without one.
func (s *Schedule) Divided(n int) *Schedule {
	if s == nil {
		return nil
	}
	part := &Schedule{Name: s.Name}
	for _, stage := range s.Stages {
		part.Stages = append(part.Stages, Stage{stage.From / float64(n), stage.To / float64(n), stage.LengthNs})
	}
	return part
}
