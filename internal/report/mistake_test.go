package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// faultless is a report without mistakes: two trials, over an emulated link, on separate processors. Tests change it to make
// other reports.
func faultless(t *testing.T, header func(*result.Header), change func(*result.Trial)) *analysis.Report {
	t.Helper()
	file := faultlessFile(t, "f.jsonl", header, change)
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func faultlessFile(t *testing.T, name string, header func(*result.Header), change func(*result.Trial)) *result.File {
	t.Helper()
	file := &result.File{Name: name, Header: result.Header{Hosts: []result.Host{{Name: "bench", Processors: 4}}}}
	header(&file.Header)
	for repetition := 1; repetition <= 2; repetition++ {
		trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], repetition)
		trial.Spec.ClientCPUs, trial.Spec.ServerCPUs = "0", "1"
		trial.Spec.Link = &plan.Link{Name: "lan", RTTNs: 200e3}
		change(&trial)
		file.Trials = append(file.Trials, trial)
	}
	return file
}

func sameHeader(*result.Header) {}
func sameTrial(*result.Trial)   {}

func TestAReportWithoutMistakesPrintsNothingOfThem(t *testing.T) {
	t.Parallel()
	r := faultless(t, sameHeader, sameTrial)
	if found := Mistakes(r); len(found) > 0 {
		t.Errorf("got %v", found)
	}
	for _, format := range []string{FormatText, FormatMarkdown} {
		if text := string(printed(t, format, r, Options{})); strings.Contains(text, "Caveats") {
			t.Errorf("%s:\n%s", format, text)
		}
	}
}

const (
	sharedText = "Client and server competed for CPU on the same 4 processors. Separate them (--set " +
		"client_cpus=… --set server_cpus=…), or load a server on another machine."
	loopbackText = "Loopback is not a network: it has no distance, no queues and no loss. Emulate a link (--set " +
		"link=wan), or load a server on another machine."
	jvmText = "1 row was measured on a JVM after less than 5 s of warm-up, so its compilers were still at work. " +
		"A number of calls also ends the warm-up: make more calls, or measure for a --duration."
)

// reopen makes clients open n connections anew while 1,000 calls are measured.
func reopen(t *result.Trial, n int) {
	t.Clients[0].Arrivals = 1000
	begun := t.Clients[0].Begin.Sockets
	t.Clients[0].End.Sockets = begun + int64(t.Spec.Slots()) + int64(n)
}

func TestEveryMistakeIsNamedAndSaysWhatToDo(t *testing.T) {
	t.Parallel()
	onJVM := func(warmupNs int64) func(*result.Trial) {
		return func(t *result.Trial) {
			t.Clients[0].Runtime, t.Spec.WarmupNs = "java 17 linux/amd64", 8e9
			t.Clients[0].Warmup = &result.Warmup{ElapsedNs: warmupNs}
		}
	}
	for name, test := range map[string]struct {
		header func(*result.Header)
		trial  func(*result.Trial)
		want   []Mistake
	}{
		"one trial": {sameHeader, func(t *result.Trial) {
			if t.Repetition == 2 {
				t.Status = result.StatusFailed
			}
		}, []Mistake{{"one_trial",
			"1 row was measured in only one trial, which can't separate a difference from noise. Take more trials (--trials 10)."}}},
		"one trial of ab": {func(h *result.Header) { h.AB = &result.AB{} },
			func(t *result.Trial) { t.Spec.RequestBytes = t.Repetition }, nil},
		"rows of one each": {sameHeader, func(t *result.Trial) { t.Spec.RequestBytes = t.Repetition }, []Mistake{{"one_trial",
			"All rows were measured in only one trial, which can't separate a difference from noise. Take more trials (--trials 10)."}}},
		"no warm-up": {sameHeader, func(t *result.Trial) { t.Spec.WarmupNs = 0 }, []Mistake{{"no_warmup",
			"1 row was measured without a warm-up: the figures include cold caches, connection pools and " +
				"windows. Add one (--warmup 2s..10s)."}}},
		"a warm-up until steady": {sameHeader, func(t *result.Trial) { t.Spec.WarmupNs, t.Spec.WarmupMostNs = 0, 3e9 }, nil},
		"first calls are cold":   {sameHeader, func(t *result.Trial) { t.Spec.WarmupNs, t.Spec.Kind = 0, "first_call" }, nil},
		"a JVM":                  {sameHeader, onJVM(5e9), nil},
		"a JVM, cut short":       {sameHeader, onJVM(4_999e6), []Mistake{{"short_jvm_warmup", jvmText}}},
		"a JVM, and a note": {func(h *result.Header) {
			h.Notes = []plan.Note{{Code: plan.NoteShortWarmup, Text: "Too short."}}
		}, onJVM(1e9), nil},
		"a JVM, and another note": {func(h *result.Header) {
			h.Notes = []plan.Note{{Code: plan.NoteLeftOut, Text: "The warm-up of 1s is shorter."}}
		}, onJVM(1e9), []Mistake{{"short_jvm_warmup", jvmText}}},
		"a JVM, and a note of old": {func(h *result.Header) {
			h.Notes = []plan.Note{{Text: "The warm-up of 1s is shorter."}, {Code: plan.NoteShortWarmup}}
		}, onJVM(1e9), nil},
		"the same processors": {sameHeader, func(t *result.Trial) { t.Spec.ServerCPUs = "0-3" },
			[]Mistake{{"shared_processors", sharedText}}},
		"loopback": {sameHeader, func(t *result.Trial) { t.Spec.Link = nil }, []Mistake{{"loopback_as_network", loopbackText}}},
		"both": {sameHeader, func(t *result.Trial) { t.Spec.Link, t.Spec.ClientCPUs = nil, "" },
			[]Mistake{{"shared_processors", sharedText}, {"loopback_as_network", loopbackText}}},
		"a server that ran already": {sameHeader, func(t *result.Trial) {
			t.Spec.Link, t.Spec.ClientCPUs, t.Spec.Server, t.Spec.Target = nil, "", "", "there:80"
		}, nil},
		"connections that lasted": {sameHeader, func(t *result.Trial) { reopen(t, 9) }, nil},
		"connections that did not last": {sameHeader, func(t *result.Trial) { reopen(t, 10*t.Repetition) },
			[]Mistake{{"connections_reopened", "1 row was measured on connections that did not last: up to 20 connections " +
				"were opened anew in a measured phase, for 1,000 calls, and their latencies include connecting. " +
				"The server, or a proxy in front of it, probably closes them: see how long, and for how many requests, it keeps " +
				"connections open."}}},
		"connections that are lost with their calls": {sameHeader, func(t *result.Trial) {
			reopen(t, 10*t.Repetition)
			t.Spec.Protocol = "http-json"
			t.Clients[0].Outcomes = []result.Outcome{{Code: "OK", Calls: 990}, {Code: "DEADLINE_EXCEEDED", Calls: 10}}
		}, []Mistake{{"connections_reopened", "1 row was measured on connections that did not last: up to 20 connections " +
			"were opened anew in a measured phase, for 1,000 calls, and their latencies include connecting. " +
			"Their deadline cut 10 calls off, and over HTTP/1.1 the connection is lost with a call: see why they take so long, " +
			"or allow more (--deadline)."}}},
		"connections that are the calls": {sameHeader, func(t *result.Trial) { reopen(t, 900); t.Spec.Kind = "first_call" }, nil},
		"connections that were to end": {sameHeader, func(t *result.Trial) {
			reopen(t, 900)
			t.Spec.Options = map[string]string{"keep_alive": "false"}
		}, nil},
		"sockets that nobody counted": {sameHeader, func(t *result.Trial) { reopen(t, 900); t.Clients[0].Begin = nil }, nil},
		"many callers": {sameHeader, func(t *result.Trial) { t.Spec.InFlight = 10 }, []Mistake{{"closed_as_capacity",
			"1 row was measured with many callers in a closed loop. A closed loop does not measure capacity, " +
				"because callers wait while the server is slow. For latency at a fixed arrival rate use the " +
				"scenario openloop, load --rate or capacity."}}},
		"a few callers":            {sameHeader, func(t *result.Trial) { t.Spec.InFlight = 9 }, nil},
		"many at a rate of theirs": {sameHeader, func(t *result.Trial) { t.Spec.InFlight, t.Spec.Load = 100, plan.LoadPoisson }, nil},
		"profiled": {sameHeader, func(t *result.Trial) { t.Profiled = true }, []Mistake{{"profiled",
			"1 row was measured while profiling, which costs time. Use the profiles, and take the figures from a " +
				"run without --profile."}}},
		"reused processes": {sameHeader, func(t *result.Trial) { t.ProcessesOf = "t0" }, []Mistake{{"reused_processes",
			"1 row was measured in trials that shared processes (--reuse). What differs from one start of a process to the " +
				"next, such as compiled code and the layout of memory, is not in their spread: an interval is too narrow, and a " +
				"difference may be one between two starts. Decide without --reuse."}}},
		"processes of other rows": {sameHeader, func(t *result.Trial) { t.ProcessRows = 2 }, []Mistake{{"reused_processes",
			"1 row was measured in processes that had run trials of other rows before (--reuse). Compiled code and the heap are " +
				"theirs too, so the order of trials is in the figures, and peak memory is unknown but for a process's first row."}}},
		"powersave": {func(h *result.Header) { h.Hosts[0].Governor = "powersave" }, sameTrial, []Mistake{{"powersave",
			"The CPU frequency governor of bench was powersave: the clock, and every figure with it, changes " +
				"with the load. Set it to performance."}}},
		"a changed tree": {func(h *result.Header) { h.Binary.Commit = "0123abcd+dirty" }, sameTrial, []Mistake{{"changed_tree",
			"f.jsonl was measured by an rpcbench built from modified sources, so that build can't be reproduced. " +
				"Commit and build before you measure what you want to keep."}}},
	} {
		if diff := cmp.Diff(test.want, Mistakes(faultless(t, test.header, test.trial))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestMachinesInOneReportAreNamed(t *testing.T) {
	t.Parallel()
	report := func(second string) *analysis.Report {
		other := faultlessFile(t, "g.jsonl", func(h *result.Header) { h.Hosts[0].Name = second }, func(t *result.Trial) {
			t.Started = t.Started.AddDate(1, 0, 0)
		})
		r, err := analysis.Build([]*result.File{faultlessFile(t, "f.jsonl", sameHeader, sameTrial), other})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if found := Mistakes(report("bench")); len(found) > 0 {
		t.Errorf("one machine: got %v", found)
	}
	want := []Mistake{{"several_hosts", "This report has results from several machines (bench, other): a " +
		"difference may come from the machines. Measure what you compare on one machine."}}
	if diff := cmp.Diff(want, Mistakes(report("other"))); diff != "" {
		t.Error(diff)
	}
}

func TestSeveralEnvironmentsAreAMistakeAndStandInTheFooter(t *testing.T) {
	t.Parallel()
	changed := func(h *result.Header) { h.Environment = map[string]string{"GOMAXPROCS": "1", "GOGC": "5"} }
	r := faultless(t, changed, sameTrial)
	if found := Mistakes(r); len(found) > 0 {
		t.Errorf("one environment: got %v", found)
	}
	text := string(printed(t, FormatText, r, Options{Style: document.Style{Width: 200}}))
	if !strings.Contains(text, " · GOGC=5 GOMAXPROCS=1 · seed ") {
		t.Errorf("text without the environment:\n%s", text)
	}
	r.Sources = append(r.Sources, faultless(t, sameHeader, sameTrial).Sources...)
	want := []Mistake{{"several_environments", "This report has results from several environments (GOGC=5 " +
		"GOMAXPROCS=1; none): a difference may come from the environments."}}
	if diff := cmp.Diff(want, Mistakes(r)); diff != "" {
		t.Error(diff)
	}
}

func TestMistakesStandAtTheEndOfAReportAndInJSON(t *testing.T) {
	t.Parallel()
	r := faultless(t, sameHeader, func(t *result.Trial) { t.Profiled = true })
	text := string(printed(t, FormatText, r, Options{}))
	if want := "\n\nCaveats\n  1 row was measured while profiling, which costs time. Use the profiles, and take the " +
		"figures from a run without\n    --profile.\n"; !strings.HasSuffix(text, want) {
		t.Errorf("text:\n%s", text)
	}
	markdown := string(printed(t, FormatMarkdown, r, Options{}))
	if want := "\n\n**Caveats**\n\n- 1 row was measured while profiling, "; !strings.Contains(markdown, want) {
		t.Errorf("markdown:\n%s", markdown)
	}
	var got struct{ Mistakes []Mistake }
	if err := json.Unmarshal(printed(t, FormatJSON, r, Options{}), &got); err != nil || !cmp.Equal(got.Mistakes, Mistakes(r)) {
		t.Errorf("json: %v, %v", got, err)
	}
}
