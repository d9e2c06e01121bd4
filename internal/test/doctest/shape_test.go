package doctest

import (
	"regexp"
	"strings"
	"testing"

	"rpcbench/internal/results/analysis"
)

// anything is the line of a document that stands for any lines, or none; at the end of a line it stands for the rest.
const anything = "..."

// What differs from run to run and from machine to machine, in the order of replacement.
var figures = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`\s·\s+deadline\s+600,000\s+ms| deadline 10m0s|/deadline_ns=600000000000`), ""}, // that short gives
	{regexp.MustCompile(`\b[0-9a-f]{12}\b`), "ID"},
	{regexp.MustCompile(`^goarch: \S+`), "goarch: ARCHITECTURE"},
	{regexp.MustCompile(`([0-9]|[0-9] [nµm]?s)\?`), "$1"}, // a ratio of an unstable row, a percentile of few calls
	{regexp.MustCompile(`\b[kMG]B/s`), "B/s"},
	{regexp.MustCompile(`\b([0-9]+(\.[0-9]+)?(h|ms|m|s|µs|ns))+\b`), "#s"},
	{regexp.MustCompile(`[0-9]([0-9,.]*[0-9])?`), "#"},
	{regexp.MustCompile(` (ns|µs|us|ms|s)\b`), ""}, // chosen by the figures, for a column or for each of them
	{regexp.MustCompile(`\bprocessors?\b`), "processors"},
	{regexp.MustCompile(`\s+`), " "},
	{regexp.MustCompile(` queue: waiting for a free slot ·`), ""},
	{regexp.MustCompile(`, achieved # calls/s OK,`), ", achieved # calls/s,"},
	{regexp.MustCompile(` OK # \(#%\)( (UNFINISHED|UNSENT) # \(#%\))+$`), ", all OK"}, // a machine with no time for all calls
	{regexp.MustCompile(`\(#( [kMG]?B)? to #( [kMG]?B)?, # trials`), "(# trials"},     // an interval, where trials differ
}

var (
	origin    = regexp.MustCompile(`^\S+\.jsonl: .*`)
	continued = regexp.MustCompile(`^ +([A-Za-z(]|600,000 ms|[0-9.,]+\)?\.$)`)
)

// What the circumstances of so short a trial, on a machine that does other things, is slow or stands still, make of it:
// verdicts, the lines below a table that give reasons for them, the footnotes that explain them, how the calls spread, and how
// much of a load that changes was seen.
var (
	circumstance = strings.Join([]string{
		analysis.VerdictUnstable, analysis.VerdictNotJudged, analysis.VerdictTooFewSamples, analysis.VerdictNoisyHost,
		analysis.VerdictNotStationary, analysis.VerdictLinkBound, analysis.VerdictClientBound,
		analysis.VerdictRateNotMet, analysis.VerdictStalled, analysis.VerdictCensored,
	}, "|")
	// Notes of a row, which begin a line of their own below a table, and a sentence on a page.
	noted = strings.Join([]string{
		`the load \S+ is (too short to show|not shown) over time:`, `\S+ of each trial, in order: `,
		`trial [0-9]+: the last call ended `,
		`trial [0-9]+: no call was completed for `, `one call in a hundred was sent more than `,
		`rpcbench itself was paused for `,
	}, "|")
	named  = regexp.MustCompile(`, (` + circumstance + `)$`)
	judged = regexp.MustCompile(`(^| )(` + circumstance + `)$`)
)

// What circumstances add to a report, by its first line; what goes on with a line's indent belongs to it.
var added = []struct {
	first  *regexp.Regexp
	indent string
}{
	{regexp.MustCompile(`^  \S.*: ((` + circumstance + `) in [0-9]+ of [0-9]+ trials?:|trial [0-9]+ stalled:|` +
		noted + `)`), "    "},
	{regexp.MustCompile(`^  (` + circumstance + `): `), "    "},
	{regexp.MustCompile(`^  \S+ of each trial, in order: `), "    "},
	{regexp.MustCompile(`^(` + circumstance + `): `), "  "},
	{regexp.MustCompile(`^Answer: `), "  "}, // which stack is ahead, and whether by more than noise
	{regexp.MustCompile(`^Verdict  (` + analysis.VerdictOK + `|` + circumstance + `): `), "         "},
	{regexp.MustCompile(`(?i)^Notes    (` + noted + `)`), "         "},
	{regexp.MustCompile(`^ *[0-9].* – .* +[0-9,]+ +[0-9.]+%`), "none"}, // a bar
	{regexp.MustCompile(`^queue +[0-9]`), "none"},                      // where a call waited for a slot
	{regexp.MustCompile(`^OK calls/s over time`), "  "},
	{regexp.MustCompile(`^ *\?: too few calls for this percentile\.`), "  "},
}

// along begins a table, which a blank line ends.
var along = regexp.MustCompile(`^Along .*: `)

// calm returns the lines as an idle machine with time would have printed them, without tables of what a load came to along
// its schedule.
func calm(lines []string) []string {
	var kept []string
	for i := 0; i < len(lines); i++ {
		goesOn := addition(lines[i])
		if goesOn == nil {
			kept = append(kept, judged.ReplaceAllString(named.ReplaceAllString(lines[i], ""), "${1}"+analysis.VerdictOK))
			continue
		}
		for i+1 < len(lines) && goesOn(lines[i+1]) {
			i++
		}
	}
	return kept
}

// addition tells which lines go on with what a line begins that circumstances added; it is nil for other lines.
func addition(line string) func(next string) bool {
	if along.MatchString(line) {
		return func(next string) bool { return next != "" && next != anything }
	}
	for _, a := range added {
		if a.first.MatchString(line) {
			return func(next string) bool { return strings.HasPrefix(next, a.indent) }
		}
	}
	return nil
}

// shapes returns the lines without what may differ. A line that was wrapped, and the second line of a table's head, is
// one with the line before it. The line that names the machine loses it.
func shapes(lines []string) []string {
	var joined []string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case origin.MatchString(line):
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ") {
				i++
			}
			joined = append(joined, "FILE: MACHINE")
		case continued.MatchString(line) && len(joined) > 0 && last(joined) != anything:
			joined[len(joined)-1] += " " + line
		case strings.TrimSpace(line) != "":
			joined = append(joined, line)
		}
	}
	for i, line := range joined {
		for _, f := range figures {
			line = f.pattern.ReplaceAllString(line, f.by)
		}
		joined[i] = strings.TrimSpace(line)
	}
	return joined
}

func last(lines []string) string { return lines[len(lines)-1] }

// Calls that were never sent or answered, and what says that the machine had no time for them: otherwise something hangs.
var (
	unanswered = regexp.MustCompile(`(?m)^ +(UNFINISHED|UNSENT) [0-9]`)
	disturbed  = regexp.MustCompile(analysis.VerdictNoisyHost + `|` + analysis.VerdictClientBound + `|[Rr]pcbench itself was paused`)
)

// alike reports whether output has the shape that a document shows.
func alike(shown, output []string) bool {
	text := strings.Join(output, "\n")
	return matches(shapes(calm(shown)), shapes(calm(output))) && (!unanswered.MatchString(text) || disturbed.MatchString(text))
}

func matches(want, got []string) bool {
	switch {
	case len(want) == 0:
		return len(got) == 0
	case want[0] == anything:
		return matches(want[1:], got) || len(got) > 0 && matches(want, got[1:])
	case len(got) == 0:
		return false
	case same(want[0], got[0]):
		return matches(want[1:], got[1:])
	default:
		return false
	}
}

func same(want, got string) bool {
	start, open := strings.CutSuffix(want, anything)
	return want == got || open && strings.HasPrefix(got, strings.TrimSpace(start))
}

func TestShapeIgnoresFiguresOnly(t *testing.T) {
	t.Parallel()
	shown := "stack     p50 µs   verdict\n" +
		"          median\n" +
		"grpc-go   96.4 95.0–99.1   OK\n" +
		"note: about 1m2s\n" +
		"goarch: arm64\n" +
		"r.jsonl: a machine, go1.26\n  · 2026\n"
	for name, c := range map[string]struct {
		output string
		alike  bool
	}{
		"the same":        {shown, true},
		"other figures":   {strings.NewReplacer("96.4", "1,012", "µs", "ms", "1m2s", "900ms").Replace(shown), true},
		"another machine": {strings.Replace(shown, "a machine, go1.26\n", "another one\n", 1), true},
		"other processor": {strings.Replace(shown, "arm64", "riscv64", 1), true},
		"other gaps":      {strings.ReplaceAll(shown, "   ", "  "), true},
		"another verdict": {strings.Replace(shown, "OK", "ERRORS", 1), false},
		"another stack":   {strings.Replace(shown, "grpc-go", "tcp", 1), false},
		"a lost column":   {strings.Replace(shown, "   verdict", "", 1), false},
		"a unit for each": {strings.NewReplacer(" µs", "", "96.4", "3.10 s").Replace(shown), true},
		"a lost figure":   {strings.Replace(shown, " 95.0–99.1", "", 1), false},
		"a line more":     {shown + "more\n", false},
		"a line less":     {strings.Replace(shown, "note: about 1m2s\n", "", 1), false},
		"nothing":         {"", false},
		"a busy machine": {strings.NewReplacer("OK\n", "NOISY_HOST\n  grpc-go: NOISY_HOST in 1 of 3 trials: it had\n    others.\n",
			"r.jsonl", "NOISY_HOST: End\n  them.\nr.jsonl").Replace(shown), true},
		"a machine that stood still": {strings.NewReplacer("OK\n", "STALLED\n  grpc-go: trial 2 stalled: 0.1 s after its measured "+
			"phase began the client itself was paused\n    for 3.1 s.\n", "r.jsonl", "STALLED: calls were in flight\n  and.\nr.jsonl").
			Replace(shown), true},
		"no time for a ramp": {strings.Replace(shown, "note:", "  grpc-go: the load step:1..9/4@1s is too short to show over time: "+
			"each part\n    lasts at least a second.\nnote:", 1), true},
		"along a ramp": {strings.Replace(shown, "note:", "\nAlong step:1..9/4@1s: grpc-go · 1 trial\nseconds  in flight\n"+
			"0.0–1.0          1\n\nnote:", 1), true},
		"trials apart": {strings.NewReplacer("OK\n", "UNSTABLE\n  response_p50 of each trial, in order: grpc-go ▁█.\n",
			"96.4", "96.4?").Replace(shown), true},
		"a page": {strings.Replace(shown, "note:", "Verdict  NOISY_HOST: a thread\n           woke late.\n"+
			"         NOT_JUDGED: few.\nqueue  1 µs\n100 – 200 µs  54  5.14%  ■■\n\nOK calls/s over time\n  ▁█\n"+
			"  each mark 81 ms\nnote:", 1), true},
		"a page of bunches": {strings.Replace(shown, "note:", "Notes    One call in a hundred was sent more than 1.74 ms late by\n"+
			"           the instrument.\nnote:", 1), true},
		"bunches, a pause, a late end": {strings.Replace(shown, "note:", "  grpc-go: one call in a hundred was sent more than 2 ms\n"+
			"    late.\n  grpc-go: trial 2: no call was completed for 1.1 s.\n  grpc-go: trial 1: the last call ended 2 ms after\n"+
			"    the window.\nnote:", 1), true},
		"a page with a note of retries": {strings.Replace(shown, "note:", "Notes    1 call sent once more.\nnote:", 1), false},
		"a page with errors":            {strings.Replace(shown, "note:", "Verdict  ERRORS: 3 failed.\nnote:", 1), false},
		"a busy machine, and a line":    {strings.Replace(shown, "OK\n", "NOISY_HOST\n  grpc-go: 1 of 3 trials failed\n", 1), false},
	} {
		if got := alike(strings.Split(shown, "\n"), strings.Split(c.output, "\n")); got != c.alike {
			t.Errorf("%s: alike is %v", name, got)
		}
	}
}

func TestShapeIgnoresCallsThatASlowMachineHadNoTimeFor(t *testing.T) {
	t.Parallel()
	shown := "Calls       5,000 in 5.00 s, all OK\n" +
		"Rate        offered 1,000 calls/s, achieved 1,000 calls/s, 2.00 MB/s of payload\n" +
		"Caveats  One trial.\n"
	slow := "Calls       5,000 in 5.00 s\n            OK 225 (4.50%)\n            UNSENT 4,775 (95.5%)\n" +
		"Rate        offered 1,000 calls/s, achieved 4.20 calls/s OK, 8.40 kB/s of payload\n" +
		"Verdict  CENSORED: 4,775 calls were never sent.\nNotes    Rpcbench itself was paused for about 10 s.\n" +
		"Caveats  One trial.\n"
	const first, second, unfinished = "OK 225", "UNSENT", "UNFINISHED 8 (0.16%)\n            "
	const pause, bunches = "Rpcbench itself was paused for about", "One call in a hundred was sent more than"
	for output, want := range map[string]bool{
		slow:                                     true,
		strings.Replace(slow, pause, bunches, 1): false, // nothing kept the machine from it
		strings.Replace(slow, second, unfinished+second, 1):                                                         true,
		strings.Replace(slow, first, unfinished+first, 1):                                                           false,
		strings.Replace(slow, second, "DEADLINE_EXCEEDED", 1):                                                       false,
		strings.Replace(slow, "Notes    ", "Notes    1 call sent.\n", 1):                                            false,
		strings.Replace(shown, ", all OK", "\n            OK 4,999 (99.98%)\n            UNAVAILABLE 1 (0.02%)", 1): false,
	} {
		if got := alike(strings.Split(shown, "\n"), strings.Split(output, "\n")); got != want {
			t.Errorf("%s: alike is %v", output, got)
		}
	}
}

func TestDotsStandForAnyLines(t *testing.T) {
	t.Parallel()
	shown := []string{"first", anything, "la..."}
	for output, want := range map[string]bool{
		"first\nlast": true, "first\na\nb\nlast": true, "first\na": false, "first\nlost": false,
		"a\nlast": false, "first\nlast\nmore": false,
	} {
		if got := alike(shown, strings.Split(output, "\n")); got != want {
			t.Errorf("%q: alike is %v", output, got)
		}
	}
}
