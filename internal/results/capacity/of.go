package capacity

import (
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
)

// Of returns the courses whose trials a report has, of each file by itself. A course of which a trial is missing is none.
func Of(r *analysis.Report) []*Course {
	var found []*Course
	for _, source := range r.Sources {
		design := source.Header.Capacity
		if design == nil {
			continue
		}
		trials := trialsOf(r, source)
		for _, c := range New(design) {
			if c.follow(trials) && c.begun {
				c.File = source.Name
				found = append(found, c)
			}
		}
	}
	return found
}

// New returns the courses of a design, without trials; none if its requirements are unknown here.
func New(design *result.Capacity) []*Course {
	requirements, err := require.ParseAll(design.Requirements)
	if err != nil {
		return nil
	}
	var courses []*Course
	for _, base := range design.Bases {
		courses = append(courses,
			&Course{Base: base, Trials: design.Trials, Search: time.Duration(design.SearchNs), Requirements: requirements})
	}
	return courses
}

// trialsOf returns the trials of a file, in the order in which they were measured.
func trialsOf(r *analysis.Report, source *analysis.Source) []*analysis.Trial {
	var trials []*analysis.Trial
	for _, row := range r.Rows {
		for _, t := range slices.Concat(row.Trials, row.Failed) {
			if t.Source == source && t.Whole == nil {
				trials = append(trials, t)
			}
		}
	}
	slices.SortStableFunc(trials, func(a, b *analysis.Trial) int { return a.Repetition - b.Repetition })
	return trials
}

// Resume returns the courses of a file's design, each as far as trials of the file bring it, to go on. It returns an error if the
// courses did not ask for these trials.
func Resume(file *result.File) ([]*Course, error) {
	courses := New(file.Header.Capacity)
	if len(file.Trials) == 0 {
		return courses, nil
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		return nil, err
	}
	trials := trialsOf(r, r.Sources[0])
	for _, c := range courses {
		if !c.follow(trials) {
			return nil, fmt.Errorf("%s lacks a trial of the search with %s, so the search can't go on", file.Name, c.Base.Spec.Stack)
		}
		c.Ending, c.Failure = Complete, ""
	}
	return courses, nil
}

// follow shows the course its trials, and reports whether they are those that it asks for, all of them. One that was interrupted
// decides nothing, and is measured again where the search goes on.
func (c *Course) follow(trials []*analysis.Trial) bool {
	for _, t := range trials {
		if t.ID != c.ID(t.Repetition) {
			continue
		}
		next, more := c.Next()
		if !more || !next.isOf(t) {
			return false
		}
		c.begun, c.Ending, c.Failure = true, Complete, ""
		if t.Interrupted {
			c.Ending, c.again = Interrupted, t.Repetition
		} else {
			c.show(t)
		}
	}
	if _, more := c.Next(); more && c.Ending == Complete {
		c.Ending = Unknown
	}
	return true
}

// isOf reports whether a trial is the one that was asked for.
func (r Request) isOf(t *analysis.Trial) bool {
	return len(t.Cases) == 1 && t.Cases[0].Scenario == r.Scenario && t.Spec.OfferedPerSec == r.Spec.OfferedPerSec &&
		t.Spec.Connections == r.Spec.Connections
}

// show shows the course a trial by itself. After a first trial that failed the course begins again, if it goes on.
func (c *Course) show(t *analysis.Trial) {
	row, err := analysis.BuildOne(t.Source.Name, t.Source.Header, *t.Trial)
	if err == nil {
		err = c.See(row)
	}
	c.Stopped(err)
}
