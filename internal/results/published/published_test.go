package published

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

func find(t *testing.T, name string) *Reference {
	t.Helper()
	r, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEveryReferenceIsWholeAndNamed(t *testing.T) {
	t.Parallel()
	figures := map[string]int{}
	for _, name := range Names() {
		r := find(t, name)
		if r.Name != name || r.Title == "" || r.Source == "" || r.Note == "" {
			t.Errorf("%s: %q, %q, %q, %q", name, r.Name, r.Title, r.Source, r.Note)
		}
		for _, table := range r.Tables {
			if table.Machine == "" || table.Date == "" {
				t.Errorf("%s: a table of the machine %q and the date %q", name, table.Machine, table.Date)
			}
			seen := map[string]bool{}
			for _, f := range table.Figures {
				if seen[f.Name] {
					t.Errorf("%s: %s is there twice", name, f.Name)
				}
				seen[f.Name] = true
			}
			figures[name] += len(table.Figures)
		}
	}
	want := map[string]int{"grpc-mobile": 172, "roguedb": 23, "vanadium-2015": 52, "vanadium-2022": 198, "vanadium-readme": 17}
	if fmt.Sprint(figures) != fmt.Sprint(want) {
		t.Errorf("figures %v, want %v", figures, want)
	}
}

func TestAnUnknownReferenceIsOneSentence(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"vanadium-2016": `unknown reference "vanadium-2016"; did you mean "vanadium-2015"?`,
		"":              `unknown reference ""; known: grpc-mobile, roguedb, vanadium-2015, vanadium-2022, vanadium-readme`,
		"../reference":  `unknown reference "../reference"; known: grpc-mobile, roguedb, vanadium-2015, vanadium-2022, vanadium-readme`,
	} {
		if _, err := Find(name); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", name, err, want)
		}
	}
}

func TestABadReferenceIsRefused(t *testing.T) {
	t.Parallel()
	whole := `{name: x, value: 1, unit: µs/call, case: {kind: unary}}`
	for change, want := range map[[2]string]string{
		{"µs/call", "µs/cal"}:                 `x: the unit "µs/cal" is unknown; did you mean "µs/call"?`,
		{"kind", "kin"}:                       `x: unknown column "kin"; did you mean "kind"?`,
		{"value: 1", "value: 0"}:              `a figure "x" of 0: it needs a name and a value over 0`,
		{"case: {kind: unary}", "case: {}"}:   `x: it has either a case or something that it lacks`,
		{"unit:", "lacks: a proxy, unit:"}:    `x: it has either a case or something that it lacks`,
		{"{name: x,", "{name: x, speed: 17,"}: `unknown field "speed"`,
	} {
		_, err := parse([]byte("name: r\ntables:\n  - figures:\n      - " + strings.Replace(whole, change[0], change[1], 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", change[1], err, want)
		}
	}
	if _, err := parse([]byte("name: r\ntables:\n  - figures:\n      - " + whole)); err != nil {
		t.Error(err)
	}
}

// measured makes a report of a scenario's plan on grpc-go and other given stacks, with tcp as the floor. Every call took 2 ms by
// itself and 3 ms of the elapsed time.
func measured(t *testing.T, name string, others ...string) *analysis.Report {
	t.Helper()
	s, err := scenario.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	info := stack.Info{
		Name: "grpc-go", Protocol: stack.ProtocolGRPC, Serves: true, Calls: true, Multiplexed: true,
		Kinds:    []string{"connect", "first_call", "unary", "stream", "ping_pong", "burst", "upload"},
		Networks: []string{"tcp"}, Securities: []string{"plaintext", "mtls"}, Compressions: []string{"none"},
	}
	stacks := []stack.Info{info}
	for _, other := range others {
		if info.Name = other; other == plan.FloorStack {
			info.Protocol = stack.ProtocolTCP
		}
		stacks = append(stacks, info)
	}
	floor := slices.Contains(others, plan.FloorStack)
	p, err := plan.New([]scenario.Scenario{s}, stacks, plan.Config{Seed: 1, Floor: floor})
	if err != nil {
		t.Fatal(err)
	}
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	if err := h.RecordValues(2e6, 10); err != nil {
		t.Fatal(err)
	}
	encoded, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	file := &result.File{Name: "f.jsonl"}
	for _, planned := range p.Trials {
		messages := int64(10 * max(planned.Spec.Messages, 1))
		file.Trials = append(file.Trials, result.Trial{
			ID: planned.ID, Repetition: planned.Repetition, Spec: planned.Spec, Cases: planned.Cases, Status: result.StatusOK,
			Floor: planned.Floor,
			Clients: []result.Client{{Record: result.Record{
				Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: 10}}, Arrivals: 10, ElapsedNs: 30e6,
				MessagesOut: messages, MessagesIn: messages,
				PayloadOut: messages * int64(planned.Spec.RequestBytes), PayloadIn: messages * int64(planned.Spec.ResponseBytes),
				Histograms: map[string]string{result.HistResponse: encoded},
			}}},
		})
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEveryCaseOfEchoHasItsFigureOf2015 is the check that names, sizes, messages and backgrounds are the same here as
// there: 52 figures, 52 rows, one to one.
func TestEveryCaseOfEchoHasItsFigureOf2015(t *testing.T) {
	t.Parallel()
	r := measured(t, "echo")
	found := find(t, "vanadium-2015").Tables[0].Match(r.Rows)
	rows := map[*analysis.Row]bool{}
	for _, c := range found {
		if len(c.Rows) != 1 {
			t.Errorf("%s has %d rows", c.Figure.Name, len(c.Rows))
		}
		rows[c.Rows[0]] = true
	}
	if len(found) != 52 || len(rows) != 52 || len(r.Rows) != 52 {
		t.Errorf("%d figures for %d of %d rows", len(found), len(rows), len(r.Rows))
	}
}

func TestWhatAReferenceHasNoFigureForIsLeftOut(t *testing.T) {
	t.Parallel()
	echo, simple := measured(t, "echo"), measured(t, "simple")
	count := func(name string, r *analysis.Report) int {
		n := 0
		for _, table := range find(t, name).Tables {
			n += len(table.Match(r.Rows))
		}
		return n
	}
	for _, test := range []struct {
		name string
		r    *analysis.Report
		want int
	}{
		{"vanadium-2022", echo, 104}, // its 52 cases, in two runs
		{"vanadium-2022", simple, 2},
		{"vanadium-readme", simple, 12}, // four lines of three machines
		{"vanadium-readme", echo, 10},   // the echo and the streamed message of 1 kB, and the samples of 1 B and 10 B
		{"vanadium-2015", simple, 1},
	} {
		if got := count(test.name, test.r); got != test.want {
			t.Errorf("%s: %d figures, want %d", test.name, got, test.want)
		}
	}
}

func TestBatchesPatternsAndChannelsHaveTheFiguresOfRogueDB(t *testing.T) {
	t.Parallel()
	r := find(t, "roguedb")
	for _, test := range []struct {
		scenario     string
		table, wants int
	}{{"batch", 0, 4}, {"patterns", 1, 3}, {"channels", 2, 7}} { // 1, 2, 3, 4, 7, 8 and 16 streams
		if got := len(r.Tables[test.table].Match(measured(t, test.scenario).Rows)); got != test.wants {
			t.Errorf("%s: %d figures, want %d", test.scenario, got, test.wants)
		}
	}
	for scenario, want := range map[string]int{"batch": 5, "patterns": 5, "channels": 4} {
		n := 0
		for _, finding := range r.Judge(measured(t, scenario).Rows) {
			if len(finding.Pairs) > 0 {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d claims are measured, want %d", scenario, n, want)
		}
	}
}

func TestAFigureIsMeasuredInItsUnit(t *testing.T) {
	t.Parallel()
	r := measured(t, "simple")
	row := func(kind string) *analysis.Row {
		i := slices.IndexFunc(r.Rows, func(row *analysis.Row) bool { return row.Spec.Kind == kind })
		return r.Rows[i]
	}
	for _, test := range []struct {
		unit, kind string
		want       float64
	}{
		{"µs/call", "unary", 2000}, {"ms/call", "unary", 2}, {"calls/s", "unary", 1000.0 / 3}, {"MB/s", "unary", 2.0 / 3},
		{"µs/message", "stream", 0.3}, {"ms/message", "stream", 0.0003}, {"messages/s", "stream", 10_000 * 1000.0 / 3},
	} {
		figure := Figure{Unit: test.unit}
		got, ok := figure.Measured(row(test.kind))
		if !ok || got.Median < test.want*0.999 || got.Median > test.want*1.001 {
			t.Errorf("%s of %s: %v, want %v", test.unit, test.kind, got.Median, test.want)
		}
	}
	figure := Figure{Unit: "µs/message"}
	if got, ok := figure.Measured(row("unary")); ok {
		t.Errorf("a unary call has %v µs a message", got)
	}
}

func TestACaseMatchesOnItsColumnsOnly(t *testing.T) {
	t.Parallel()
	figure := find(t, "vanadium-2015").Tables[0].Figures[0] // Echo 1B
	spec := usually("unary", func(s *plan.Spec) { s.Stack, s.RequestBytes, s.ResponseBytes, s.Security = "any", 1, 1, "tls" })
	if !figure.Matches(&analysis.Row{Spec: spec}) {
		t.Error("the security, which is free, makes a difference")
	}
	for name, change := range map[string]func(*plan.Spec){
		"bytes": func(s *plan.Spec) { s.ResponseBytes = 10 },
		"background": func(s *plan.Spec) {
			s.Background = &plan.Background{Kind: "stream", RequestBytes: 1, ResponseBytes: 1, Messages: 1}
		},
		"in flight": func(s *plan.Spec) { s.InFlight = 2 },
		"load":      func(s *plan.Spec) { s.Load = "poisson" },
	} {
		other := spec
		if change(&other); figure.Matches(&analysis.Row{Spec: other}) {
			t.Errorf("another %s makes no difference", name)
		}
	}
}

// A speed-up is that of a stack over itself: one stack's batches divided by another's, or by the floor's, mean nothing.
func TestSpeedUpsOfRogueDBAreOfOneStack(t *testing.T) {
	t.Parallel()
	r := measured(t, "batch", "connect-go", plan.FloorStack)
	stacks := map[string]int{}
	for _, finding := range find(t, "roguedb").Judge(r.Rows) {
		for _, pair := range finding.Pairs {
			if pair.Over.Spec.Stack != pair.Under.Spec.Stack {
				t.Errorf("%s: %s by %s", finding.Claim.Name, pair.Over.Spec.Stack, pair.Under.Spec.Stack)
			}
			stacks[pair.Over.Spec.Stack]++
		}
	}
	if fmt.Sprint(stacks) != "map[connect-go:5 grpc-go:5]" {
		t.Errorf("pairs by stack %v, want 5 of each but the floor", stacks)
	}
}

// A post's figures apply to what its benchmark did: 1 kB through gzip over a Unix socket is not its 9 bytes in plaintext.
func TestACaseIsUsualInWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	figure := find(t, "roguedb").Tables[0].Figures[1] // a batch of 10
	spec := point.Usual("ping_pong", 10)
	spec.Stack, spec.Streams = "any", 1
	if !figure.Matches(&analysis.Row{Spec: spec}) {
		t.Fatal("the usual point is another case")
	}
	for name, change := range map[string]func(*plan.Spec){
		"request":     func(s *plan.Spec) { s.RequestBytes, s.ResponseBytes = 1000, 1000 },
		"network":     func(s *plan.Spec) { s.Network = "unix" },
		"compression": func(s *plan.Spec) { s.Compression = "gzip" },
		"security":    func(s *plan.Spec) { s.Security = "tls" },
		"servers":     func(s *plan.Spec) { s.Servers = 2 },
		"clients":     func(s *plan.Spec) { s.Clients = 2 },
	} {
		other := spec
		if change(&other); figure.Matches(&analysis.Row{Spec: other}) {
			t.Errorf("another %s makes no difference", name)
		}
	}
	spec.ClientCPUs, spec.DeadlineNs, spec.Options = "0", 1e9, map[string]string{"a": "b"}
	if !figure.Matches(&analysis.Row{Spec: spec}) {
		t.Error("who carries the calls makes a difference")
	}
}
