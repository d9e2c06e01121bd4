package driver

import (
	"context"
	"errors"
	"time"

	"rpcbench/internal/results/result"
)

// describeTarget makes a place for what the server at the target uses, if that can be read.
func (s *sides) describeTarget() {
	if s.spec.Target == "" || s.Target == nil {
		return
	}
	if _, known := s.Target(); known {
		s.evidence.Servers = []result.Side{{}}
	}
}

// knowsTarget reports whether the evidence has a place for what the server at the target uses.
func (s *sides) knowsTarget() bool { return s.spec.Target != "" && len(s.evidence.Servers) > 0 }

// markTarget takes a snapshot of the server at the target.
func (s *sides) markTarget(place func(*result.Side) **result.Snapshot) {
	if s.knowsTarget() {
		*place(&s.evidence.Servers[0]), _ = s.targetSnapshot(context.Background())
	}
}

// targetBegun is the beginning of the time of snapshots of a target.
var targetBegun = time.Now()

// targetSnapshot returns what the server at the target has used so far.
func (s *sides) targetSnapshot(context.Context) (*result.Snapshot, error) {
	used, known := s.Target()
	if !known {
		return nil, errors.New("what the server uses is not known")
	}
	taken := &result.Snapshot{
		TimeNs: time.Since(targetBegun).Nanoseconds(), CPUUserNs: used.CPUUser.Nanoseconds(), CPUSystemNs: used.CPUSystem.Nanoseconds(),
		PeakMemoryBytes: used.PeakMemoryBytes,
	}
	if used.SwitchesKnown {
		taken.VoluntarySwitches, taken.InvoluntarySwitches = new(used.VoluntarySwitches), new(used.InvoluntarySwitches)
	}
	return taken, nil
}
