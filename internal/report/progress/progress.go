// Package progress shows at a terminal what is running.
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
)

// A Line is a status line on a terminal: what is running, and the time left. It is drawn between trials only, so that drawing
// does not disturb a measurement, except by load, whose server is elsewhere: it draws the line every second. Failed trials are
// always reported. Nothing except Clear waits for a terminal that does not accept output.
type Line struct {
	Out      io.Writer
	Terminal bool
	Live     bool          // drawn while trials run too
	Width    func() int    // of the terminal, which may change; nil is wide
	label    string        // of a trial that was decided on the way; such a trial has no place in a plan
	prefix   string        // of the trial that runs, where there are several
	later    time.Duration // how long the trials after it take
	second   second
	calls    int64 // that ended in the phase
	screen   screen
}

// A second holds the counts since the line was last drawn.
type second struct {
	from, ok, errors int64
	inFlight         []int64 // at the end of each interval
}

// shortestNs is the minimum time for computing a rate. The remainder of a phase that ends early has none.
const shortestNs = 500e6

// maxFailure is the maximum number of characters of a reason: one of ours, and an example of a server's. The results have all.
const maxFailure = 2 * plain.Example

const clearLine = "\r\x1b[K"

// Announce receives what will run next.
func (p *Line) Announce(label string) { p.label = label }

// Begun implements driver.Progress.
func (p *Line) Begun(trials []plan.Trial, i int) {
	switch {
	case !p.Terminal:
	case p.label != "":
		p.drawf("[%s] %s", p.label, trials[i].Spec)
	default:
		prefix := fmt.Sprintf("[%d/%d]", i+1, len(trials))
		p.prefix, p.second, p.calls, p.later = "", second{}, 0, plan.Expected(trials[i+1:])
		if len(trials) > 1 {
			p.prefix = prefix + " "
		}
		left := ", " + number.About(plan.Expected(trials[i:])) + " left"
		room := max(p.width()-columns(prefix+" "+left), leastName)
		p.drawf("%s %s%s", prefix, cut(plain.Short(trials[i].Spec.String(), plain.Example), room), left)
	}
}

// leastName is the minimum width of a trial's name, which is shortened for the time that is left.
const leastName = 8

// Passed implements driver.Watcher: it shows the last second's rate and latency, once a second.
func (p *Line) Passed(trial plan.Trial, phase string, client int, interval result.Interval) {
	if !p.Terminal || !p.Live {
		return
	}
	if client == 0 && interval.StartNs == 0 {
		p.second, p.calls = second{}, 0
	}
	p.second.ok += interval.OK
	p.second.errors += interval.Errors
	p.calls += interval.OK + interval.Errors
	if client > 0 {
		return // the line is drawn with the first one's seconds
	}
	p.second.inFlight = append(p.second.inFlight, interval.InFlight)
	if interval.Response == nil || interval.EndNs-p.second.from < shortestNs {
		return
	}
	now := p.status(trial.Spec, phase, interval)
	p.draw(p.prefix + now.fitting(p.width()-columns(p.prefix)))
	p.second = second{from: interval.EndNs}
}

// usualInFlight is the median: at the end of the second a step of a ramp, or the phase, may be over.
func (s second) usualInFlight() int64 {
	sorted := slices.Sorted(slices.Values(s.inFlight))
	return sorted[(len(sorted)-1)/2]
}

// Ended implements driver.Progress.
func (p *Line) Ended(trial result.Trial) {
	if trial.Status == result.StatusFailed {
		p.notef("trial %s failed (%s): %s", trial.ID, trial.Spec, plain.Short(trial.Failure, maxFailure))
		if trial.LastWords != "" {
			p.notef("its last output: %s", trial.LastWords)
		}
	}
}

// drawf puts a text in the place of the line.
func (p *Line) drawf(format string, args ...any) { p.draw(fmt.Sprintf(format, args...)) }

// draw puts a text in the place of the line, cut to the terminal: a line that wraps can't be taken away again.
func (p *Line) draw(line string) {
	line = cut(plain.Short(line, plain.Example), p.width())
	p.screen.draw(p.Out, clearLine+line)
}

// The widths of a line: the default if the terminal's width is unknown, and the minimum.
const (
	widthDefault = 200
	minWidth     = 20
)

// width returns the terminal's width without the last column, because some terminals wrap there.
func (p *Line) width() int {
	width := 0
	if p.Width != nil {
		width = p.Width()
	}
	if width == 0 {
		width = widthDefault
	}
	return max(width-1, minWidth)
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
