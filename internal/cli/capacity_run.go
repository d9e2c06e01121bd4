package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report"
	"rpcbench/internal/report/answer"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign/course"
)

// findCapacities carries the course of each stack out, says the answers, and reports the file.
func (e *env) findCapacities(ctx context.Context, f capacityFlags, w work) error {
	bases := firsts(w.plan)
	design := f.design(bases, len(w.plan.Trials)/len(bases))
	s, err := e.newSearch(ctx, &f.outputFlags, w, result.Header{Scenarios: capacityScenarios(f.requirements), Capacity: &design})
	if err != nil {
		return err
	}
	defer s.close()
	courses, err := capacity.Resume(s.file)
	if err != nil {
		return badInput(fmt.Errorf("--resume: %w", err))
	}
	s.covered = []string{capacity.ScenarioProbe, capacity.ScenarioSearch}
	fmt.Fprintf(e.err, "the capacity of %s, at most %s each, into %s\n", number.Count(len(bases), "stack"),
		number.Span(f.time), s.where())
	ctx, restore := interruptible(ctx, nothing, f.sink.rescued)
	defer restore()
	defer suspendable(&s.runner.Driver)()
	var answers document.Document
	var problems []error
	interrupted := false
	for _, found := range courses {
		c := answer.Course{Course: found}
		switch {
		case !interrupted:
			err := s.runner.Run(ctx, course.Decision{Course: found, End: time.Now().Add(f.time)})
			c.Stopped(err)
			problems = append(problems, problemOf(s, c, err))
			interrupted = errors.Is(err, context.Canceled)
		case !found.IsBegun():
			continue
		default:
			c.Ending = capacity.Unknown // what its file has is answered, as report does
		}
		answers = append(answers, c.Answer())
	}
	if f.format == report.FormatText && f.sink.name == "" && s.kept() > 0 {
		answers = append(answers,
			document.Answer{fmt.Sprintf("The trials of the search are in the file: rpcbench report %s shows them.", f.out)})
	}
	reported := e.finish(s, answers, judgeFlags{})
	return gravest(append(problems, reported)...)
}

// design says what is searched, for the header: with each of the bases.
func (f *capacityFlags) design(bases []plan.Trial, trials int) result.Capacity {
	design := result.Capacity{Trials: trials, SearchNs: int64(f.search), TimeNs: int64(f.time), Bases: bases}
	for _, requirement := range f.requirements {
		design.Requirements = append(design.Requirements, requirement.String())
	}
	return design
}

// problemOf returns the error of a course for the exit code.
func problemOf(s *search, c answer.Course, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return s.interruptedOr(err)
	case err != nil:
		return failed(err)
	case len(c.Outcomes) == 0:
		return badInput(errors.New("--time: it is too short for a first trial and a search"))
	case c.Decision() == answer.Inconclusive:
		return &exitError{exitInconclusive, fmt.Errorf("the capacity of %s is inconclusive", c.Base.Spec.Stack)}
	case !c.HasRate():
		return &exitError{exitNotMet, fmt.Errorf("no rate of %s is confirmed with %s",
			c.Base.Spec.Stack, answer.Wanted(c.Requirements))}
	default:
		return nil
	}
}

// firsts are the plan's points in the order of their stacks' names.
func firsts(p plan.Plan) []plan.Trial {
	points := slices.DeleteFunc(slices.Clone(p.Trials), func(t plan.Trial) bool { return t.Repetition > 1 })
	slices.SortStableFunc(points, func(a, b plan.Trial) int { return strings.Compare(a.Spec.Stack, b.Spec.Stack) })
	return points
}

// capacityScenarios describes the parts of the file.
func capacityScenarios(requirements []require.Requirement) []result.Scenario {
	wanted := answer.Wanted(requirements)
	return []result.Scenario{
		{Name: capacity.ScenarioCapacity, Question: "Is the rate that the search found sustained for longer, with " + wanted + "?",
			Trials: 1},
		{Name: capacity.ScenarioLoad, Question: "How does latency grow with the load, up to the capacity and past it?", Trials: 1},
		{Name: capacity.ScenarioScaling, Question: "How does the rate grow with connections?", Trials: 1},
		{Name: capacity.ScenarioSearch, Question: "About where is the highest rate with " + wanted + "?", Trials: 1},
		{Name: capacity.ScenarioProbe, Question: "About how many calls a second are there?", Trials: 1},
	}
}
