package plan

import (
	"math"
	"time"
)

// A Stage is a part of an open load whose rate goes in a line from one value to another.
type Stage struct {
	FromPerSec float64 `json:"from_per_sec"`
	ToPerSec   float64 `json:"to_per_sec"`
	LengthNs   int64   `json:"length_ns"`
}

// A Schedule is stages, one after another, by the name that the user gave them. Behind the last its end's rate goes on.
type Schedule struct {
	Name   string  `json:"name"` // "line:100..1000@60s"
	Stages []Stage `json:"stages"`
}

// Due is how many calls are expected to be due from the begin to a time.
func (s *Schedule) Due(until time.Duration) float64 {
	count, left := 0.0, until.Seconds()
	if left <= 0 {
		return 0
	}
	for _, stage := range s.Stages {
		length := time.Duration(stage.LengthNs).Seconds()
		t := math.Min(left, length)
		count += stage.FromPerSec*t + (stage.ToPerSec-stage.FromPerSec)/length*t*t/2
		if left -= t; left <= 0 {
			return count
		}
	}
	return count + s.Stages[len(s.Stages)-1].ToPerSec*left
}

// Length is that of all stages.
func (s *Schedule) Length() time.Duration {
	sum := time.Duration(0)
	for _, stage := range s.Stages {
		sum += time.Duration(stage.LengthNs)
	}
	return sum
}

// Due is how many calls of an open load are expected to be due from the begin to a time.
func (s Spec) Due(until time.Duration) float64 {
	if s.Schedule != nil {
		return s.Schedule.Due(until)
	}
	return s.OfferedPerSec * until.Seconds()
}
