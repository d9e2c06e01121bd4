package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// WriteHlog writes HdrHistogram's interval log, format 1.3: the responses of each window of each trial in nanoseconds,
// tagged with the trial's ID, and a comment for each trial that says what it is. A trial without windows is one
// interval. Trials without a call that was OK have none.
//
// Times are absolute. A window begins its start_ns after the trial's start and its warm-up: how long the processes took
// to start before that is not in a results file, so that times are early by as much, a second or less.
func WriteHlog(w io.Writer, trials []result.Trial) error {
	sorted := make([]*result.Trial, len(trials))
	for i := range trials {
		sorted[i] = &trials[i]
	}
	return writeHlog(w, sorted)
}

// writeHlogOf writes the log of all trials of a report. A trial of several scenarios is in it once.
func writeHlogOf(w io.Writer, r *analysis.Report) error {
	var trials []*result.Trial
	seen := map[*result.Trial]bool{}
	for _, row := range r.Rows {
		for _, trial := range slices.Concat(row.Trials, row.Failed) {
			if !seen[trial.Trial] {
				trials = append(trials, trial.Trial)
			}
			seen[trial.Trial] = true
		}
	}
	return writeHlog(w, trials)
}

func writeHlog(w io.Writer, trials []*result.Trial) error {
	slices.SortStableFunc(trials, func(a, b *result.Trial) int { return a.Started.Compare(b.Started) })
	log := &hlogWriter{log: hdrhistogram.NewHistogramLogWriter(plain.Writer{To: w})}
	log.keep(log.log.OutputLogFormatVersion())
	if len(trials) > 0 {
		log.keep(log.log.OutputStartTime(trials[0].Started.UnixMilli()))
	}
	for _, trial := range trials {
		log.keep(log.log.OutputComment(fmt.Sprintf("[Tag %s: %s]", trial.ID, hlogWords(trial))))
	}
	log.keep(log.log.OutputLegend())
	for _, trial := range trials {
		log.trial(trial)
	}
	return log.err
}

// hlogWords describes a trial: its key without the scenario, because several scenarios may share the trial.
func hlogWords(trial *result.Trial) string {
	name := strings.Join(naming.Parts(trial.Spec), " ")
	return fmt.Sprintf("%s, repetition %d, %s", name, trial.Repetition, trial.Status)
}

// An hlogWriter keeps the first error.
type hlogWriter struct {
	log *hdrhistogram.HistogramLogWriter
	err error
}

func (l *hlogWriter) keep(err error) {
	if l.err == nil {
		l.err = err
	}
}

// WarmedUp returns how long the warm-up took or, if unknown, was planned to take.
func WarmedUp(calls result.Record, spec plan.Spec) time.Duration {
	if calls.Warmup == nil {
		return time.Duration(spec.WarmupNs)
	}
	return time.Duration(calls.Warmup.ElapsedNs)
}

func (l *hlogWriter) trial(trial *result.Trial) {
	calls, err := analysis.Together(trial.Clients)
	if err != nil {
		l.keep(fmt.Errorf("trial %s: %w", trial.ID, err))
		return
	}
	began := trial.Started.Add(WarmedUp(calls, trial.Spec))
	windows := 0
	for w, err := range analysis.Windows(trial.Clients) {
		if err != nil {
			l.keep(fmt.Errorf("trial %s: %w", trial.ID, err))
			return
		}
		l.window(trial.ID, began, w)
		windows++
	}
	whole, ok := calls.Histograms[result.HistResponse]
	if !ok || windows > 0 {
		return
	}
	h, err := result.DecodeHistogram(whole)
	if err != nil {
		l.keep(fmt.Errorf("trial %s: %w", trial.ID, err))
		return
	}
	l.window(trial.ID, began, record.Window{End: time.Duration(calls.ElapsedNs), Response: h})
}

func (l *hlogWriter) window(id string, began time.Time, w record.Window) {
	w.Response.SetTag(id)
	w.Response.SetStartTimeMs(began.Add(w.Start).UnixMilli())
	w.Response.SetEndTimeMs(began.Add(w.End).UnixMilli())
	l.keep(l.log.OutputIntervalHistogram(w.Response))
}
