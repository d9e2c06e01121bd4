package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"
)

const (
	// caseLimit is when a case has hung: minutes, which no busy machine reaches.
	caseLimit = 10 * time.Minute
	// hangPatience is how long a worker may take for immediate answers before it counts as hung.
	hangPatience = 3 * time.Minute
)

// A Verdict counts cases.
type Verdict struct {
	OK, Failed, Skipped int
	Inconclusive        int // cases of timing on a machine that was late itself
	Repeated            int // cases of timing that took more than one round
	Again               int // other cases that were tried again, after a lapse
}

// String is the line that sums the cases up.
func (v Verdict) String() string {
	line := fmt.Sprintf("%d ok, %d failed, %d skipped", v.OK, v.Failed, v.Skipped)
	if v.Inconclusive > 0 {
		line += fmt.Sprintf(", %d inconclusive", v.Inconclusive)
	}
	if v.Repeated > 0 {
		line += fmt.Sprintf("; %d in more than one round", v.Repeated)
	}
	if v.Again > 0 {
		line += fmt.Sprintf("; %d tried again", v.Again)
	}
	return line
}

// Results of a case.
const (
	isOK         = "ok"
	isFailed     = "FAIL"
	isSkipped    = "skip"
	inconclusive = "?"
)

// A finding is the result of a case, and why.
type finding struct {
	verdict  string
	detail   string
	repeated bool
	again    bool
}

// Run runs the cases and writes a line for each to out, in their order, and a last one that sums them up. The error says
// that ctx has ended or that out can't be written.
func (s *Suite) Run(ctx context.Context, out io.Writer) (v Verdict, failed error) {
	found := make([]chan finding, len(s.Cases))
	for i := range found {
		found[i] = make(chan finding, 1)
	}
	go s.runAll(ctx, found)
	if s.sharing != nil {
		defer func() { failed = errors.Join(failed, s.sharing.close()) }()
	}
	var steps tallies
	for i, c := range s.Cases {
		f := s.await(c.Name, found[i])
		if ctx.Err() != nil {
			drainFindings(found[i+1:])
			return v, context.Cause(ctx)
		}
		v = v.with(f)
		steps.add(c.Step, f)
		if err := say(out, f, c.Name); err != nil {
			return v, err
		}
	}
	return conclude(out, v, steps)
}

// conclude judges the cases together, and writes the lines that sum them up.
func conclude(out io.Writer, v Verdict, steps tallies) (Verdict, error) {
	if why := v.tooManyLapses(); why != "" {
		f := finding{verdict: isFailed, detail: why}
		v = v.with(f)
		if err := say(out, f, "tried again"); err != nil {
			return v, err
		}
	}
	lines := v.String()
	if advice := steps.advice(); advice != "" {
		lines += "\n" + advice
	}
	_, err := fmt.Fprintln(out, lines)
	return v, err
}

// say writes a finding's line.
func say(out io.Writer, f finding, name string) error {
	_, err := fmt.Fprintf(out, "%-5s %-44s %s\n", f.verdict, name, oneLine(f.detail))
	return err
}

// noticeEvery is the interval of naming what is being waited for.
const noticeEvery = 10 * time.Second

// await returns the result of a case, and names the case while that takes long.
func (s *Suite) await(name string, found <-chan finding) finding {
	silent := time.NewTicker(noticeEvery)
	defer silent.Stop()
	for waited := noticeEvery; ; waited += noticeEvery {
		select {
		case f := <-found:
			return f
		case <-silent.C:
			s.noticef("waiting for %q, for %v so far, %v at the most", name, waited, caseLimit)
		}
	}
}

// drainFindings waits until every case has cleaned up after itself.
func drainFindings(found []chan finding) {
	for _, f := range found {
		<-f
	}
}

// runAll runs the cases that judge no timing side by side, and then the others, each by itself.
func (s *Suite) runAll(ctx context.Context, found []chan finding) {
	var running sync.WaitGroup
	heavy, light := make(chan struct{}, s.beside()), make(chan struct{}, besideLight)
	for i, c := range s.Cases {
		if c.timing == nil {
			free := heavy
			if s.sharing != nil && !c.wantsProcess() {
				free = light
			}
			free <- struct{}{}
			running.Go(func() { found[i] <- c.judge(ctx); <-free })
		}
	}
	running.Wait()
	for i, c := range s.Cases {
		if c.timing != nil {
			found[i] <- c.judge(ctx)
		}
	}
}

// beside returns how many cases run in parallel. Most wait much longer than they work, but a runtime that needs a warm-up works
// from its start, and waits only sometimes.
func (s *Suite) beside() int {
	if s.slow {
		return runtime.NumCPU() + 1
	}
	return besideLight
}

// besideLight is how many cases run in parallel if they mostly wait.
var besideLight = 4 * runtime.NumCPU()

func (c Case) judge(ctx context.Context) finding {
	switch {
	case c.skip != "":
		return finding{verdict: isSkipped, detail: c.skip}
	case ctx.Err() != nil:
		return finding{verdict: isSkipped, detail: "interrupted"}
	case c.timing != nil:
		return c.judgeTiming(ctx)
	}
	detail, again, err := twice(func() (string, error) {
		detail, err := try(ctx, c, c.run)
		if err != nil && c.sharing != nil {
			c.sharing.spoil()
		}
		return detail, err
	})
	if err != nil {
		return finding{verdict: isFailed, detail: err.Error(), again: again}
	}
	return finding{verdict: isOK, detail: detail, again: again}
}

// try gives a case its own rig, and ends what it has started.
func try[T any](ctx context.Context, c Case, run func(*rig) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, caseLimit, fmt.Errorf("the case took longer than %v", caseLimit))
	defer cancel()
	r := &rig{Case: c, ctx: ctx}
	defer r.close()
	return run(r)
}

// with counts a finding too.
func (v Verdict) with(f finding) Verdict {
	if f.repeated {
		v.Repeated++
	}
	if f.again {
		v.Again++
	}
	switch f.verdict {
	case isOK:
		v.OK++
	case isSkipped:
		v.Skipped++
	case inconclusive:
		v.Inconclusive++
	default:
		v.Failed++
	}
	return v
}

// oneLine prevents a worker's text from looking like another case.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
