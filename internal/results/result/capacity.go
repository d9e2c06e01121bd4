package result

import (
	"errors"
	"fmt"

	"rpcbench/internal/plan"
)

// Capacity is the design of a search for the highest rate that meets requirements. The ID of a trial begins with that of its
// base; its repetition is its number in the file.
type Capacity struct {
	Requirements []string     `json:"requirements"`
	Trials       int          `json:"trials"`    // that must agree
	SearchNs     int64        `json:"search_ns"` // length of a trial of the search
	TimeNs       int64        `json:"time_ns"`   // limit for each base
	Bases        []plan.Trial `json:"bases"`     // trials that confirm, at any rate, one for each search
}

// check returns an error if nothing could have been searched like this.
func (c *Capacity) check() error {
	if c == nil {
		return nil
	}
	if c.Trials < 1 {
		return fmt.Errorf("trials: %d is less than 1", c.Trials)
	}
	seen := map[string]bool{}
	for i, base := range c.Bases {
		if seen[base.Point()] {
			return fmt.Errorf("base %d: it is there twice", i+1)
		}
		seen[base.Point()] = true
		if base.Spec.DurationNs <= 0 || c.SearchNs <= 0 {
			return errors.New("its trials have no duration")
		}
		search := base.Spec
		search.DurationNs = c.SearchNs
		for _, spec := range []plan.Spec{base.Spec, search} {
			if err := (plan.Trial{Spec: spec, Repetition: c.Trials}).Check(); err != nil {
				return fmt.Errorf("base %d: %w", i+1, err)
			}
		}
	}
	return nil
}
