package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// stalledRun is a run of three trials, the second of which stalled and left files.
func stalledRun(t *testing.T) *analysis.Report {
	t.Helper()
	return reporttest.Echo(t, 3, func(t *result.Trial) {
		t.ID = "a1b2c3"
		if t.Repetition == 2 {
			t.Clients[0].Stalled = &result.Stalled{Phase: result.PhaseMeasured, SinceNs: 3_200e6, DurationNs: 10_100e6}
			t.Evidence = []string{"a1b2c3-client-threads.txt", "a1b2c3-server-threads.txt"}
		}
	})
}

func TestAStallAndItsDumpsAreNamed(t *testing.T) {
	t.Parallel()
	for _, format := range []string{FormatText, FormatMarkdown} {
		text := strings.Join(strings.Fields(strings.ReplaceAll(string(printed(t, format, stalledRun(t), Options{})), `\`, "")), " ")
		for _, want := range []string{
			"STALLED", "trial 2 stalled: 3.2 s after its measured phase began no call was completed for 10.1 s.",
			"trial 2 wrote a1b2c3-client-threads.txt, a1b2c3-server-threads.txt.",
			"Profiles and dumps of trials are in f.evidence.",
			"STALLED: calls were in flight and none completed for a while. The trial's dumps show",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: nothing says %q in\n%s", format, want, text)
			}
		}
	}
}

// A client that was paused waited for nothing that a dump would show, and --stall is not why. Where rows differ, both is said.
func TestAPausedClientIsNoStallOfCalls(t *testing.T) {
	t.Parallel()
	const ofClient, ofCalls = "STALLED: the client itself was paused, because the machine", "The trial's dumps show what each thread"
	run := func(client bool) *analysis.Report {
		return reporttest.Echo(t, 1, func(t *result.Trial) {
			t.Clients[0].Stalled = &result.Stalled{Phase: result.PhaseMeasured, SinceNs: 3_200e6, DurationNs: 10_100e6, Client: client}
		})
	}
	for client, want := range map[bool]string{true: ofClient, false: ofCalls} {
		text := strings.Join(strings.Fields(string(printed(t, FormatText, run(client), Options{}))), " ")
		if !strings.Contains(text, want) || strings.Contains(text, ofCalls) == client || strings.Contains(text, "--stall") == client {
			t.Errorf("client %t: want %q in\n%s", client, want, text)
		}
	}
	both := verdictMeaning(analysis.VerdictStalled, append(run(true).Rows, run(false).Rows...))
	if !strings.Contains(both, "a longer --stall. A client is paused when") {
		t.Errorf("of both: %q", both)
	}
}

// A server by command prints in every trial: that is one line, not one for each.
func TestFilesOfManyTrialsAreOneLine(t *testing.T) {
	t.Parallel()
	run := reporttest.Echo(t, 3, func(t *result.Trial) {
		t.ID = fmt.Sprintf("a1b2c%d", t.Repetition)
		t.Evidence = []string{t.ID + "-server-output.txt"}
		if t.Repetition == 3 {
			t.Evidence = append(t.Evidence, t.ID+"-client-threads.txt")
		}
	})
	text := strings.Join(strings.Fields(string(printed(t, FormatText, run, Options{}))), " ")
	for _, want := range []string{
		"2 trials wrote *-server-output.txt each.", "trial 3 wrote a1b2c3-server-output.txt, a1b2c3-client-threads.txt.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, " wrote "); n != 2 {
		t.Errorf("%d lines name files, want 2, in\n%s", n, text)
	}
}

func TestJSONNamesTheEvidenceOfATrialAndItsVerdict(t *testing.T) {
	t.Parallel()
	var report struct {
		Rows []struct {
			Verdict  string
			PerTrial []struct {
				Verdict  string
				Stalled  *result.Stalled
				Evidence []string
			} `json:"per_trial"`
		}
	}
	if err := json.Unmarshal(printed(t, FormatJSON, stalledRun(t), Options{}), &report); err != nil {
		t.Fatal(err)
	}
	row := report.Rows[0]
	if row.Verdict != "STALLED" || row.PerTrial[0].Verdict != "OK" || row.PerTrial[0].Stalled != nil ||
		row.PerTrial[0].Evidence != nil {
		t.Errorf("the row %s, its first trial %+v", row.Verdict, row.PerTrial[0])
	}
	second := row.PerTrial[1]
	if second.Verdict != "STALLED" || second.Stalled == nil || second.Stalled.DurationNs != 10_100e6 ||
		len(second.Evidence) != 2 {
		t.Errorf("the second trial %+v", second)
	}
}

func TestATrialWithoutAServerHasNone(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatJSON, reporttest.Echo(t, 1, func(t *result.Trial) { t.Servers = nil }), Options{}))
	if strings.Contains(text, `"server": {`) || !strings.Contains(text, `"client": {`) {
		t.Errorf("an empty server is printed:\n%s", text)
	}
}

func TestAPlainBareSocketIsNotCalledTheFloor(t *testing.T) {
	t.Parallel()
	p := reporttest.Points()[1]
	trial := reporttest.Invent(t, p, reporttest.Models[0], 1)
	trial.Floor = false
	r, err := analysis.Build([]*result.File{{Name: "f.jsonl", Trials: []result.Trial{trial}}})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(printed(t, FormatText, r, Options{})); strings.Contains(text, "floor") || !strings.Contains(text, "tcp  ") {
		t.Errorf("it is:\n%s", text)
	}
}

func TestCasesWithTheSameRowsArePrintedOnce(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatText, reporttest.Echo(t, 1, func(t *result.Trial) {
		t.Cases = append(t.Cases, t.Cases[0])
		t.Cases[1].Title = "the same at random"
	}), Options{}))
	if strings.Count(text, "\ngrpc-go ") != 1 || !strings.Contains(text, `The case "the same at random" has the same rows.`) {
		t.Errorf("got\n%s", text)
	}
}
