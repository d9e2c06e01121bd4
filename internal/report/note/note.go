// Package note says in sentences what a reader of a row has to know beside its figures: what failed and how, what the trials
// warned of, and what the first call took.
package note

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// Of says what a reader of a row has to know beside its figures: what failed and how, and what the trials warned of.
func Of(r *analysis.Row) []string {
	var notes []string
	if len(r.Outcomes) > 0 {
		notes = append(notes, Outcomes(r))
	}
	if len(r.Failed) > 0 {
		notes = append(notes, Failures(r))
	}
	return append(notes, Circumstances(r)...)
}

// Circumstances are of how a row's trials went, whatever became of their calls.
func Circumstances(r *analysis.Row) []string {
	var notes []string
	if r.MixedLengths() {
		notes = append(notes, "its trials ran for different lengths of time")
	}
	if r.Spec.Schedule != nil && len(r.Trials) > 0 && len(r.Along()) == 0 {
		notes = append(notes, unshownNote(r.Spec))
	}
	if late := r.Tail(); late != nil {
		notes = append(notes, tailNote(late))
	}
	if p := r.Pause(); p != nil {
		notes = append(notes, fmt.Sprintf("trial %d: no call was completed for %.1f s, %.1f s after its measured phase began",
			p.Trial.Repetition, float64(p.DurationNs)/1e9, float64(p.SinceNs)/1e9))
	}
	if b, ok := r.Bunches(); ok {
		notes = append(notes, fmt.Sprintf("one call in a hundred was sent more than %s late by the instrument, longer than the %s "+
			"between two calls, so that calls went out in bunches (%d of %s)", number.Duration(b.LateNs), number.Duration(b.GapNs),
			b.Trials, number.Count(len(r.Trials), "trial")))
	}
	if n := retried(r); n > 0 {
		notes = append(notes, number.Count(n, "call")+" sent once more on a new connection")
	}
	if n := clamped(r); n > 0 {
		notes = append(notes, fmt.Sprintf("%s took longer than 1 h and count as 1 h", number.Count(n, "call")))
	}
	notes = append(notes, warnings(r)...)
	return append(notes, Evidence(r)...)
}

// unshownNote says why a load that changes is not shown over time. A part lasts a second or more, and a client that was paused
// may have measured only one.
func unshownNote(spec plan.Spec) string {
	short := spec.DurationNs > 0 && spec.DurationNs < 2e9
	for _, stage := range spec.Schedule.Stages {
		short = short || len(spec.Schedule.Stages) > 1 && stage.LengthNs < 1e9
	}
	if short {
		return fmt.Sprintf("the load %s is too short to show over time: each part lasts at least a second", spec.Schedule)
	}
	return fmt.Sprintf("the load %s is not shown over time: fewer than two parts of it were measured, as when the client is paused "+
		"or calls end early", spec.Schedule)
}

// Evidence says of each trial when it stalled, and what files the trials left.
func Evidence(r *analysis.Row) []string {
	var lines, kinds []string
	wrote := map[string][]*analysis.Trial{} // by the kinds of their files: their names without the trial's id
	for _, trial := range slices.Concat(r.Trials, r.Failed) {
		if s := trial.Stalled; s != nil {
			lines = append(lines, fmt.Sprintf("trial %d stalled: %v", trial.Repetition, s))
		}
		if len(trial.Evidence) == 0 {
			continue
		}
		kind := strings.ReplaceAll(strings.Join(trial.Evidence, ", "), trial.ID+"-", "*-")
		if wrote[kind] == nil {
			kinds = append(kinds, kind)
		}
		wrote[kind] = append(wrote[kind], trial)
	}
	for _, kind := range kinds {
		lines = append(lines, wroteNote(wrote[kind], kind))
	}
	return lines
}

// wroteNote names the files of one trial, or the kinds of files of several.
func wroteNote(trials []*analysis.Trial, kind string) string {
	if len(trials) == 1 {
		return fmt.Sprintf("trial %d wrote %s", trials[0].Repetition, strings.Join(trials[0].Evidence, ", "))
	}
	return fmt.Sprintf("%d trials wrote %s each", len(trials), kind)
}

// Outcomes says how many calls of a row were not OK, by code, with what the first call of each said.
func Outcomes(r *analysis.Row) string {
	parts := make([]string, len(r.Outcomes))
	for i, outcome := range r.Outcomes {
		parts[i] = fmt.Sprintf("%s %s", outcome.Code, number.Whole(outcome.Calls))
		if said := Said(outcome); said != "" {
			parts[i] += " (" + said + ")"
		}
	}
	return fmt.Sprintf("%s%s of %s not OK: %s", hiddenVerdicts(r), number.Whole(r.Errors()), number.Count(r.Calls, "call"),
		strings.Join(parts, ", "))
}

// hiddenVerdicts are those of a row's outcomes that a graver one hides in the table: "CENSORED: ".
func hiddenVerdicts(r *analysis.Row) string {
	var hidden []string
	for _, doubt := range r.Doubts() {
		ofOutcomes := doubt.Verdict == analysis.VerdictErrors || doubt.Verdict == analysis.VerdictCensored
		if ofOutcomes && doubt.Verdict != r.Verdict() {
			hidden = append(hidden, doubt.Verdict)
		}
	}
	if len(hidden) == 0 {
		return ""
	}
	return strings.Join(hidden, ", ") + ": "
}

// Failures names how many trials failed, and each reason once.
func Failures(r *analysis.Row) string {
	var reasons []string
	for _, trial := range r.Failed {
		reason := OneLine(trial.Failure)
		if words := lastWords(trial.LastWords); words != "" {
			reason += fmt.Sprintf(" (last output: %s)", words)
		}
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	all := len(r.Failed) + len(r.Trials)
	return fmt.Sprintf("%d of %s failed: %s", len(r.Failed), number.Count(all, "trial"), strings.Join(reasons, "; "))
}

// tailNote says what the rates leave out.
func tailNote(t *analysis.Trial) string {
	after, _ := t.Value(analysis.TailNs)
	calls, _ := t.Value(analysis.LateCalls)
	note := fmt.Sprintf("trial %d: the last call ended %s after the window of %s", t.Repetition, number.Duration(after),
		number.Duration(float64(t.WindowNs)))
	if calls > 0 {
		note += fmt.Sprintf("; rates leave out %s that ended after it", number.Count(int64(calls), "OK call"))
	}
	return note
}

// retried counts over trials the calls that were sent once more.
func retried(r *analysis.Row) int64 {
	var sum int64
	for _, trial := range r.Trials {
		if trial.Retries != nil {
			sum += *trial.Retries
		}
	}
	return sum
}

func clamped(r *analysis.Row) int64 {
	var sum int64
	for _, trial := range r.Trials {
		sum += trial.Clamped
	}
	return sum
}

// warnings returns the trials' warnings, each once and with the number of trials.
func warnings(r *analysis.Row) []string {
	var order []string
	times := map[string]int{}
	for _, trial := range r.Trials {
		for _, warning := range trial.Warnings {
			if times[warning.Text]++; times[warning.Text] == 1 {
				order = append(order, warning.Text)
			}
		}
	}
	for i, warning := range order {
		order[i] = fmt.Sprintf("%s (%s)", OneLine(warning), number.Count(times[warning], "trial"))
	}
	return order
}

// Said is what the first of an outcome's calls said besides its code, on one line: "first: out of stock" of several calls, whose
// messages may differ. It is empty where the server gave no message.
func Said(o result.Outcome) string {
	said := OneLine(o.Said())
	if said != "" && o.Calls > 1 {
		return "first: " + said
	}
	return said
}

// OneLine makes of what somebody else said as much as a note repeats.
func OneLine(text string) string { return plain.Short(text, plain.Example) }

// wordsMax is how many bytes of a process's last words stand in a note: a JVM says what is wrong first, and others last.
const wordsMax = 300

// lastWords puts lines beside each other, as many of the last as there is room for, the last one at least.
func lastWords(text string) string {
	var kept []string
	length := 0
	for _, line := range slices.Backward(strings.Split(text, "\n")) {
		if line = plain.Short(line, wordsMax); line == "" {
			continue
		}
		if length += len(line); len(kept) > 0 && length > wordsMax {
			break
		}
		kept = append(kept, line)
	}
	slices.Reverse(kept)
	return strings.Join(kept, " / ")
}
