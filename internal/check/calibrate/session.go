package calibrate

import (
	"fmt"
	"time"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
)

// A session carries out blocks one after the other, says which it begins, and begins none when its time is over.
type session struct {
	config Config
	ends   time.Time
	begun  int // steps
	steps  int // of them in all
}

// start begins a session, which has some steps besides its blocks. It is an error if the stack has no server here.
func (config Config) start(besides int) (*session, error) {
	if !config.Stack.Calls || !config.Stack.Serves {
		return nil, fmt.Errorf("%s has no server of this binary", config.Stack.Name)
	}
	return &session{config: config, ends: config.Now().Add(config.Effort.Most), steps: config.Effort.Blocks + besides}, nil
}

// begin announces the next step.
func (s *session) begin(what string) {
	if s.config.Begun != nil {
		s.config.Begun(s.begun, s.steps, what)
	}
	s.begun++
}

// blocks carries out as many as there is time for. A nil block does not count, and fewer than least are an error.
func (s *session) blocks(least int, what string, one func() (block, error)) ([]block, error) {
	var blocks []block
	for range s.config.Effort.Blocks {
		if !s.config.Now().Before(s.ends) {
			break
		}
		s.begin(what)
		b, err := one()
		if err != nil {
			return nil, err
		}
		if b != nil {
			blocks = append(blocks, b)
		}
	}
	if len(blocks) < least {
		return nil, fmt.Errorf("%s measured in %v, and %d are needed: the machine is too busy",
			number.Count(len(blocks), "block"), s.config.Effort.Most, least)
	}
	return blocks, nil
}

// A block has a trial of each variant, and in which order they were.
type block map[string]measured

// measured is a trial of a block.
type measured struct {
	*analysis.Trial

	place int
}

// value is a figure of the trial.
func (m measured) value(metric analysis.Metric) float64 {
	v, _ := m.Value(metric)
	return v
}
