package published

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// A coder is a row of the codec: how long an operation took in each trial, and the size.
type coder struct {
	stack, kind, message, codec string
	bytes                       int64
	ns                          []int64
}

func coded(t *testing.T, coders ...coder) []*analysis.Row {
	t.Helper()
	return codedWith(t, func(*result.Trial) {}, coders...)
}

// usually is a point with usual values, except for those that a function changes.
func usually(kind string, but func(*plan.Spec)) plan.Spec {
	s := point.Usual(kind, 0)
	but(&s)
	return s
}

func codedWith(t *testing.T, change func(*result.Trial), coders ...coder) []*analysis.Row {
	t.Helper()
	file := &result.File{Name: "f.jsonl"}
	for _, c := range coders {
		for i, ns := range c.ns {
			h := hdrhistogram.New(1, int64(time.Hour), 3)
			if err := h.RecordValue(ns); err != nil {
				t.Fatal(err)
			}
			encoded, err := result.EncodeHistogram(h)
			if err != nil {
				t.Fatal(err)
			}
			trial := result.Trial{
				ID: fmt.Sprint(c.stack, c.kind, c.message, c.codec, i), Repetition: i + 1, Status: result.StatusOK,
				Spec: usually(c.kind, func(s *plan.Spec) {
					s.Stack, s.Protocol, s.Message, s.Codec = c.stack, "codec", c.message, c.codec
				}),
				Cases: []plan.Case{{Scenario: "codec", Title: c.kind}},
				Clients: []result.Client{{Record: result.Record{
					Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: 1}}, Arrivals: 1, ElapsedNs: ns,
					Codec:      &result.Codec{Repeat: 1, EncodedBytes: c.bytes, GzippedBytes: c.bytes},
					Histograms: map[string]string{result.HistResponse: encoded},
				}}},
			}
			change(&trial)
			file.Trials = append(file.Trials, trial)
		}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r.Rows
}

func claim(t *testing.T, text string) *Claim {
	t.Helper()
	r, err := parse([]byte("name: r\nclaims:\n  - " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")))
	if err != nil {
		t.Fatal(err)
	}
	return &r.Claims[0]
}

const faster = `
name: protobuf faster
published: 3×
at_least: 2.5
scenario: codec
metrics: [ns_per_operation]
case: {kind: encode, stack: codec-go}
where: {encoded_bytes: {to: 999}}
comparisons:
  - {name: Go, over: {codec: json}, under: {codec: [protobuf, protobuf-fast]}}
`

func TestAClaimIsARatioAtEveryCommonPoint(t *testing.T) {
	t.Parallel()
	findings := claim(t, faster).judge(coded(t,
		coder{"codec-go", "encode", "small", "protobuf", 20, []int64{100}},
		coder{"codec-go", "encode", "small", "protobuf-fast", 20, []int64{50}},
		coder{"codec-go", "encode", "small", "json", 1500, []int64{200}}, // the smaller size counts
		coder{"codec-go", "encode", "address-book", "json", 900, []int64{900}},
		coder{"codec-go", "encode", "address-book", "protobuf", 500, []int64{300}},
		coder{"codec-go", "encode", "large", "protobuf", 34_000, []int64{1}},
		coder{"codec-go", "encode", "large", "json", 80_000, []int64{1000}},
		coder{"codec-go", "decode", "small", "protobuf", 20, []int64{1}},
		coder{"codec-java", "encode", "small", "protobuf", 20, []int64{1}},
	))
	if len(findings) != 1 || len(findings[0].Pairs) != 3 {
		t.Fatalf("%+v", findings)
	}
	got := map[string]string{}
	for _, p := range findings[0].Pairs {
		got[p.Under.Spec.Message+" "+p.Under.Spec.Codec] = fmt.Sprintf("%.1f %s", p.Ratio, findings[0].Claim.Holds(p))
	}
	want := map[string]string{"small protobuf": "2.0 no", "small protobuf-fast": "4.0 yes", "address-book protobuf": "3.0 yes"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if yes, no, unsure := findings[0].Count(); yes != 2 || no != 1 || unsure != 0 {
		t.Errorf("%d yes, %d no, %d unsure", yes, no, unsure)
	}
}

func TestABoundWithinTheSpreadIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		json []int64 // beside 100 to 110 of protobuf
		want string
	}{
		{[]int64{280, 300, 320}, Yes},    // 280/110 = 2.55
		{[]int64{260, 300, 320}, Unsure}, // 260/110 = 2.36
		{[]int64{200, 240, 260}, Unsure}, // 260/100 = 2.6
		{[]int64{200, 220, 240}, No},     // 240/100 = 2.4
	} {
		findings := claim(t, faster).judge(coded(t,
			coder{"codec-go", "encode", "small", "protobuf", 20, []int64{100, 105, 110}},
			coder{"codec-go", "encode", "small", "json", 40, test.json}))
		if got := findings[0].Claim.Holds(findings[0].Pairs[0]); got != test.want {
			t.Errorf("%v: %s, want %s", test.json, got, test.want)
		}
	}
	between := claim(t, strings.Replace(faster, "at_least: 2.5", "at_least: 0.8\nat_most: 1.25", 1))
	for ns, want := range map[int64]string{90: Yes, 79: No, 126: No} {
		pair := between.judge(coded(t, coder{"codec-go", "encode", "small", "protobuf", 20, []int64{100}},
			coder{"codec-go", "encode", "small", "json", 40, []int64{ns}}))[0].Pairs[0]
		if got := between.Holds(pair); got != want {
			t.Errorf("%d by 100: %s, want %s", ns, got, want)
		}
	}
	// A spread from below the bounds to above them says nothing, wherever the median is.
	for _, ratio := range []float64{0.6, 1, 1.9} {
		if got := between.Holds(Pair{Ratio: ratio, Lo: 0.5, Hi: 2}); got != Unsure {
			t.Errorf("%v in 0.5 to 2: %s", ratio, got)
		}
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	t.Parallel()
	json := coder{"codec-go", "encode", "small", "json", 40, []int64{1}}
	other := coder{"codec-go", "encode", "large", "protobuf", 20, []int64{1}}
	big := coder{"codec-go", "encode", "large", "json", 1000, []int64{1}}
	alsoBig := coder{"codec-go", "encode", "large", "protobuf", 1000, []int64{1}}
	for want, coders := range map[string][]coder{
		"no row has codec json, kind encode, stack codec-go":                      {other},
		"no row has codec protobuf or protobuf-fast, kind encode, stack codec-go": {json},
		"the two sides have no point in common":                                   {json, other},
		"no point matches the claim (encoded_bytes up to 999), with ns_per_operation on both sides": {
			big, alsoBig},
	} {
		findings := claim(t, faster).judge(coded(t, coders...))
		if len(findings) != 1 || len(findings[0].Pairs) != 0 || findings[0].Missing != want {
			t.Errorf("got %q, want %q", findings[0].Missing, want)
		}
	}
	open := claim(t, "name: x\npublished: asked\nlacks: a battery").judge(coded(t, json))
	if len(open) != 1 || open[0].Missing != "a battery" || open[0].Comparison != nil {
		t.Errorf("%+v", open)
	}
}

func TestStreamsAreSetAgainstCallsOfTheSameServer(t *testing.T) {
	t.Parallel()
	streaming := claim(t, `
name: streaming
published: over 2×
at_least: 2
metrics: [messages_per_sec]
under_metrics: [calls_per_sec]
differ: [kind, messages, streams]
comparisons:
  - {name: one, over: {kind: stream}, under: {kind: unary}}
`)
	file := &result.File{Name: "f.jsonl"}
	add := func(kind, server string, messages int, calls int64) {
		file.Trials = append(file.Trials, result.Trial{ID: kind + server, Repetition: 1, Status: result.StatusOK,
			Spec: usually(kind, func(s *plan.Spec) {
				s.Stack, s.Server, s.Messages = "grpc-go", server, messages
			}),
			Cases: []plan.Case{{Scenario: "mobile", Title: "x"}},
			Clients: []result.Client{{Record: result.Record{ElapsedNs: 1e9, MessagesIn: calls * int64(messages),
				Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: calls}},
			}}},
		})
	}
	add("stream", "grpc-go", 100, 30)
	add("unary", "grpc-go", 0, 1000)
	add("unary", "elsewhere", 0, 10)
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	pairs := streaming.judge(r.Rows)[0].Pairs
	if len(pairs) != 1 || pairs[0].Ratio != 3 || pairs[0].Under.Spec.Server != "grpc-go" {
		t.Errorf("%+v", pairs)
	}
}

func TestABadClaimIsRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ old, new, want string }{
		{"published: 3×", "published:", `a claim "protobuf faster": it needs a name and what was published`},
		{"at_least: 2.5", "at_least: 0", "protobuf faster: it needs at_least or at_most"},
		{"ns_per_operation", "ns_per_operatio",
			`no row has a metric "ns_per_operatio"; did you mean "ns_per_operation"?`},
		{"{codec: json}", "{code: json}", `unknown column "code"; did you mean "codec"?`},
		{"encoded_bytes", "encode_bytes", `no row has a column or metric "encode_bytes"; did you mean "encoded_bytes"?`},
		{"scenario:", "differ: [kin]\nscenario:", `unknown column "kin"; did you mean "kind"?`},
		{"over: {codec: json}", "over: {}", "protobuf faster: a comparison needs a name and rows over and under"},
		{"scenario:", "unknown: nobody looked\nscenario:", "it says why metrics are unknown, which does not go with lacks or where"},
		{"scenario:", "lacks: time\nscenario:", "it has either metrics and comparisons or something that it lacks"},
		{"case:", "under_metrics: [encoded_bytes, calls_per_sec]\ncase:", "it has 1 metrics over 2"},
	} {
		text := strings.ReplaceAll(strings.TrimSpace(strings.Replace(faster, test.old, test.new, 1)), "\n", "\n    ")
		_, err := parse([]byte("name: r\nclaims:\n  - " + text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.new, err, test.want)
		}
	}
}

// Energy is compared if the machine reports it; otherwise the claim says why it is unknown.
func TestEnergyIsComparedWhereTheMachineTellsIt(t *testing.T) {
	t.Parallel()
	const text = `
name: JSON takes more
published: asked
at_least: 1
metrics: [energy_joules_per_call]
free: [message]
comparisons:
  - {name: Go, over: {codec: json}, under: {codec: protobuf}}
unknown: the machine did not tell
`
	coders := []coder{
		{"codec-go", "encode", "small", "protobuf", 20, []int64{100}}, {"codec-go", "encode", "small", "json", 40, []int64{200}},
	}
	if f := claim(t, text).judge(coded(t, coders...)); len(f) != 1 || f[0].Missing != "the machine did not tell" {
		t.Errorf("without energy: %+v", f)
	}
	findings := claim(t, text).judge(codedWith(t, func(trial *result.Trial) {
		joules := float64(trial.Clients[0].Codec.EncodedBytes)
		trial.Hosts = []result.HostUse{{EnergyJoules: &joules}}
		was := trial.Spec
		trial.Spec = usually("unary", func(s *plan.Spec) { // a codec has no calls to share it among
			s.Stack, s.Message, s.Codec = was.Stack, was.Message, was.Codec
		})
	}, coders...))
	if len(findings) != 1 || len(findings[0].Pairs) != 1 || findings[0].Pairs[0].Ratio != 2 {
		t.Errorf("with energy: %+v, want a ratio of 2", findings)
	}
	if f := claim(t, text).judge(coded(t, coders[0])); len(f) != 1 || f[0].Missing != "no row has codec json" {
		t.Errorf("with one side: %+v", f)
	}
}
