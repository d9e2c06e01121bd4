// Package progress says at a terminal what is running.
package progress

import (
	"fmt"
	"io"
	"slices"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
)

// A Line is a status line on a terminal: what is running, and the time left. It is drawn between trials only, so that
// drawing takes nothing from a measurement; load, whose server is elsewhere, has it drawn once a second too. Failed trials
// are told everywhere. Nobody waits for a terminal that takes nothing, but for Clear.
type Line struct {
	Out      io.Writer
	Terminal bool
	Live     bool   // drawn while trials run too
	label    string // of a trial that was decided on the way; such a trial has no place in a plan
	prefix   string // of the trial that runs
	second   second
	screen   screen
}

// A second is what was counted since the line was drawn last.
type second struct {
	from, ok, errors int64
	inFlight         []int64 // at the end of each interval
}

const clearLine = "\r\x1b[K"

// Announce is told what is about to be driven.
func (p *Line) Announce(batch campaign.Batch) { p.label = batch.Label }

// Begun implements driver.Progress.
func (p *Line) Begun(trials []plan.Trial, i int) {
	switch {
	case !p.Terminal:
	case p.label != "":
		p.drawf("[%s] %s", p.label, trials[i].Spec)
	default:
		p.prefix, p.second = fmt.Sprintf("[%d/%d]", i+1, len(trials)), second{}
		left := plan.Expected(trials[i:]).Round(time.Second)
		p.drawf("%s %s, %v left", p.prefix, trials[i].Spec, left)
	}
}

// Passed implements driver.Watcher: it shows the last second's rate and latency, once a second.
func (p *Line) Passed(trial plan.Trial, phase string, client int, interval result.Interval) {
	if !p.Terminal || !p.Live {
		return
	}
	if client == 0 && interval.StartNs == 0 {
		p.second = second{}
	}
	p.second.ok += interval.OK
	p.second.errors += interval.Errors
	if client > 0 {
		return // the line is drawn with the first one's seconds
	}
	p.second.inFlight = append(p.second.inFlight, interval.InFlight)
	if interval.Response == nil || interval.EndNs <= p.second.from {
		return
	}
	line := p.second.line(phase, interval)
	if n := trial.Spec.ClientCount(); n > 1 {
		line += fmt.Sprintf("; calls/s and errors of all %d clients, the rest of the first", n)
	}
	p.drawf("%s %s", p.prefix, line)
	p.second = second{from: interval.EndNs}
}

// line is "measured 12 s: 10,243 calls/s, p50 1.20 ms, p90 2.00 ms, p99 4.10 ms, max 9.00 ms, 3 errors, 50 in flight".
// Calls are OK ones, as in a report; in a second without one there is no latency.
func (s second) line(phase string, interval result.Interval) string {
	perSec := float64(s.ok) * 1e9 / float64(interval.EndNs-s.from)
	text := fmt.Sprintf("%s %.0f s: %s calls/s", phase, float64(interval.EndNs)/1e9, number.None.Text(perSec))
	if q := interval.Response; q.Calls > 0 {
		took := func(ns int64) string { return number.Duration(float64(ns)) }
		text += fmt.Sprintf(", p50 %s, p90 %s, p99 %s, max %s", took(q.P50Ns), took(q.P90Ns), took(q.P99Ns), took(q.MaxNs))
	}
	if s.errors > 0 {
		text += ", " + number.Count(s.errors, "error")
	}
	return text + fmt.Sprintf(", %s in flight", number.Whole(s.usualInFlight()))
}

// usualInFlight is the median: at the end of the second a step of a ramp, or the phase, may be over.
func (s second) usualInFlight() int64 {
	sorted := slices.Sorted(slices.Values(s.inFlight))
	return sorted[(len(sorted)-1)/2]
}

// Ended implements driver.Progress.
func (p *Line) Ended(trial result.Trial) {
	if trial.Status == result.StatusFailed {
		p.notef("trial %s failed (%s): %s", trial.ID, trial.Spec, trial.Failure)
		if trial.LastWords != "" {
			p.notef("its last words: %s", trial.LastWords)
		}
	}
}

// drawf puts a text in the place of the line.
func (p *Line) drawf(format string, args ...any) {
	p.screen.draw(p.Out, clearLine+plain.Short(fmt.Sprintf(format, args...), plain.Example))
}

// notef prints a line, in place of the status line.
func (p *Line) notef(format string, args ...any) {
	text := plain.Lines(fmt.Sprintf(format, args...)) + "\n"
	if p.Terminal {
		text = clearLine + text
	}
	p.screen.note(p.Out, text)
}

// Clear takes the line away, and returns when all is written.
func (p *Line) Clear() {
	if p.Terminal {
		p.screen.draw(p.Out, clearLine)
	}
	p.screen.flush()
}

// Step shows step i of n.
func (p *Line) Step(i, n int, what string) {
	if p.Terminal {
		p.drawf("[%d/%d] %s", i+1, n, what)
	}
}
