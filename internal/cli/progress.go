package cli

import (
	"fmt"
	"io"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/result"
)

// progress is a status line on a terminal: what is running, and the time left. It is drawn between trials only, so that
// drawing takes nothing from a measurement. Failed trials are told everywhere.
type progress struct {
	out      io.Writer
	terminal bool
}

const clearLine = "\r\x1b[K"

// Begun implements driver.Progress.
func (p *progress) Begun(trials []plan.Trial, i int) {
	if p.terminal {
		left := plan.Expected(trials[i:]).Round(time.Second)
		fmt.Fprintf(p.out, "%s[%d/%d] %s, %v left", clearLine, i+1, len(trials), trials[i].Spec, left)
	}
}

// Ended implements driver.Progress.
func (p *progress) Ended(trial result.Trial) {
	if trial.Status == result.StatusFailed {
		p.notef("trial %s failed (%s): %s", trial.ID, trial.Spec, trial.Failure)
		if trial.LastWords != "" {
			p.notef("its last words: %s", trial.LastWords)
		}
	}
}

// notef prints a line, in place of the status line.
func (p *progress) notef(format string, args ...any) {
	p.clear()
	fmt.Fprintf(p.out, format+"\n", args...)
}

func (p *progress) clear() {
	if p.terminal {
		fmt.Fprint(p.out, clearLine)
	}
}
