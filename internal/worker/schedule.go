package worker

import (
	"math"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
)

// scheduleOf reads the load of a Begin, for so many slots.
func scheduleOf(c *control.Begin, slots int) (load.Schedule, error) {
	l := c.GetLoad()
	schedule := load.Schedule{
		PerSec: l.GetPerSec(), Seed: l.GetSeed(), Poisson: l.GetArrivals() == control.LoadPoisson,
		Limit: load.Limit{Duration: time.Duration(c.GetDurationNs()), Calls: c.GetCalls()},
		Part:  load.Part{Index: int64(l.GetPart()), Of: int64(l.GetParts())},
	}
	closed := l.GetArrivals() == control.LoadClosed
	switch {
	case !closed && !schedule.Poisson && l.GetArrivals() != control.LoadConstant:
		return schedule, control.Faultf("begin.load.arrivals", "%q is not closed, constant or poisson", l.GetArrivals())
	case closed != (l.GetPerSec() == 0) || l.GetPerSec() < 0 || math.IsInf(l.GetPerSec(), 0) || math.IsNaN(l.GetPerSec()):
		return schedule, control.Faultf("begin.load.per_sec", "%v is not a rate for %s arrivals", l.GetPerSec(), l.GetArrivals())
	case l.GetPart() > 0 && l.GetPart() >= l.GetParts():
		return schedule, control.Faultf("begin.load.part", "there is no part %d of %d", l.GetPart(), l.GetParts())
	}
	if err := checkTimes(c); err != nil {
		return schedule, err
	}
	return schedule, stagesOf(l, &schedule, slots)
}

// maxWindows is the most windows that a Done has, so that its length is bounded.
const maxWindows = 50

// checkTimes names the first field about when a phase begins and ends, and its windows, that can't be.
func checkTimes(c *control.Begin) error {
	switch {
	case c.GetPhase() != control.Warmup && c.GetPhase() != control.Measured:
		return control.Faultf("begin.phase", "%v is not a phase", c.GetPhase())
	case (c.GetDurationNs() > 0) == (c.GetCalls() > 0) || c.GetDurationNs() < 0 || c.GetCalls() < 0:
		return control.Faultf("begin.duration_ns", "it needs exactly one of duration_ns and calls")
	case c.GetDrainNs() < 0:
		return control.Faultf("begin.drain_ns", "it can't be negative")
	case c.GetDelayNs() < 0:
		return control.Faultf("begin.delay_ns", "it can't be negative")
	case c.GetWindows() > maxWindows:
		return control.Faultf("begin.windows", "%d is above the limit of %d", c.GetWindows(), maxWindows)
	default:
		return nil
	}
}

// stagesOf reads how a load changes.
func stagesOf(l *control.Load, schedule *load.Schedule, slots int) error {
	closed := !schedule.Open()
	if closed && len(l.GetStages()) > 0 && schedule.Limit.Calls > 0 {
		return control.Faultf("begin.calls", "a closed load with stages needs a duration")
	}
	for _, s := range l.GetStages() {
		switch {
		case !isLoad(s.GetFrom()) || !isLoad(s.GetTo()) || s.GetLengthNs() <= 0:
			return control.Faultf("begin.load.stages", "%v is not a stage", s)
		case closed && schedule.Part.Share(inFlight(s)) > int64(slots):
			return control.Faultf("begin.load.stages", "%d calls in flight are more than the connections' %d",
				schedule.Part.Share(inFlight(s)), slots)
		}
		schedule.Stages = append(schedule.Stages, load.Stage{
			From: s.GetFrom(), To: s.GetTo(), Length: time.Duration(s.GetLengthNs()),
		})
	}
	return nil
}

// inFlight is how many calls a stage of a closed load has in flight at the most.
func inFlight(s *control.Stage) int64 {
	return int64(math.Ceil(min(max(s.GetFrom(), s.GetTo()), math.MaxInt32)))
}

// isLoad reports whether a stage can have the value.
func isLoad(value float64) bool { return value >= 0 && !math.IsInf(value, 0) }

// slots is how many calls may be in flight.
func (cl *client) slots() int {
	return int(cl.connect.GetConnections()) * int(cl.connect.GetInFlight())
}

// edges are where one stage follows another, as far as they are an interval apart: windows begin there.
func edges(stages []load.Stage) []time.Duration {
	var at []time.Duration
	last, end := time.Duration(0), time.Duration(0)
	for i, s := range stages {
		end += s.Length
		if i < len(stages)-1 && end-last >= intervalLength {
			at, last = append(at, end), end
		}
	}
	return at
}
