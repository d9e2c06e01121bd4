package conform

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"
)

// caseLimit is when a case has hung, and slowLimit when one of a worker has that wants a warm-up: its starts alone, six in
// the longest cases, may take seconds each on a busy machine.
const (
	caseLimit = 30 * time.Second
	slowLimit = 90 * time.Second
)

// attempts is how often a case is tried that a busy machine may spoil: beside a compiler a JVM's backlog after a freeze is
// longer than its other calls tell about every fourth time.
const attempts = 5

// A Verdict counts cases.
type Verdict struct{ OK, Failed, Skipped int }

// A finding is what became of a case.
type finding struct {
	verdict string // ok, FAIL or skip
	detail  string
}

// Run runs the cases and writes a line for each to out, in their order, and a last one that sums them up. The error says
// that ctx has ended or that out can't be written.
func (s *Suite) Run(ctx context.Context, out io.Writer) (Verdict, error) {
	found := make([]chan finding, len(s.Cases))
	for i := range found {
		found[i] = make(chan finding, 1)
	}
	go s.runAll(ctx, found)
	var v Verdict
	for i, c := range s.Cases {
		f := <-found[i]
		if ctx.Err() != nil {
			drainFindings(found[i+1:])
			return v, context.Cause(ctx)
		}
		v.count(f)
		if _, err := fmt.Fprintf(out, "%-5s %-44s %s\n", f.verdict, c.Name, f.detail); err != nil {
			return v, err
		}
	}
	_, err := fmt.Fprintf(out, "%d ok, %d failed, %d skipped\n", v.OK, v.Failed, v.Skipped)
	return v, err
}

// drainFindings waits until every case has cleaned up after itself.
func drainFindings(found []chan finding) {
	for _, f := range found {
		<-f
	}
}

// runAll runs the cases that take no times, and then the others.
func (s *Suite) runAll(ctx context.Context, found []chan finding) {
	for _, timed := range []bool{false, true} {
		var running sync.WaitGroup
		free := make(chan struct{}, s.beside(timed))
		for i, c := range s.Cases {
			if c.timed == timed {
				free <- struct{}{}
				running.Go(func() { found[i] <- c.judge(ctx); <-free })
			}
		}
		running.Wait()
	}
}

// beside returns how many cases run side by side. Most wait for much longer than they work, but a runtime that wants a
// warm-up works from its start on, and waits now and then. Of the cases that take times a processor each is enough: they
// stop a server for a second, or call it some hundred times a second.
func (s *Suite) beside(timed bool) int {
	processors := runtime.NumCPU()
	switch {
	case timed:
		return processors
	case s.slow:
		return processors + 1
	default:
		return 4 * processors
	}
}

func (c Case) judge(ctx context.Context) finding {
	if c.skip != "" {
		return finding{"skip", c.skip}
	}
	if ctx.Err() != nil {
		return finding{"skip", "interrupted"}
	}
	for attempt := 1; ; attempt++ {
		detail, err := c.try(ctx)
		switch {
		case err == nil && attempt > 1:
			return finding{"ok", fmt.Sprintf("%s, at attempt %d", detail, attempt)}
		case err == nil:
			return finding{"ok", detail}
		case !c.again || attempt == attempts || ctx.Err() != nil:
			return finding{"FAIL", err.Error()}
		}
	}
}

func (c Case) try(ctx context.Context) (detail string, err error) {
	limit := caseLimit
	if c.slow {
		limit = slowLimit
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the case took longer than %v", limit))
	defer cancel()
	r := &rig{Case: c, ctx: ctx}
	defer r.close()
	return c.run(r)
}

func (v *Verdict) count(f finding) {
	switch f.verdict {
	case "ok":
		v.OK++
	case "skip":
		v.Skipped++
	default:
		v.Failed++
	}
}
