package scenario

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/point"
)

// inCase puts keys, indented by nothing, into the only case of a scenario. Its title is line 4, its keys begin in
// line 5, column 3.
func inCase(keys string) string {
	return "name: x\nquestion: y\ncases:\n- title: a\n  " + strings.ReplaceAll(keys, "\n", "\n  ") + "\n"
}

func parse(t *testing.T, text string) Scenario {
	t.Helper()
	s, err := Parse("my.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if _, ok := errors.AsType[*Error](err); !ok {
		t.Fatalf("got error %v, want an *Error: %s", err, want)
	}
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
}

// plain is the point of a case of kind unary that says nothing else.
func plain(changes ...func(*point.Asked)) point.Asked {
	p := point.Asked{Trials: 3, Spec: point.Spec{
		Kind: "unary", RequestBytes: 1000, ResponseBytes: 1000, Connections: 1, InFlight: 1, Load: "closed",
		Security: "plaintext", Network: "tcp", Compression: "none", Payload: "random", DeadlineNs: 10e9, DurationNs: 5e9,
		WarmupNs: 1e9, DrainNs: 10e9,
	}}
	for _, change := range changes {
		change(&p)
	}
	return p
}

// coded is the point of a case of kind encode that says nothing else.
func coded(changes ...func(*point.Asked)) point.Asked {
	return plain(append([]func(*point.Asked){func(p *point.Asked) {
		p.Kind, p.RequestBytes, p.ResponseBytes, p.Message, p.Codec, p.SampleNs = "encode", 0, 0, "all", "all", 20e6
	}}, changes...)...)
}

// each is a plain point with each value.
func each[T any](set func(*point.Asked, T), values ...T) (points []point.Asked) {
	for _, value := range values {
		points = append(points, plain(func(p *point.Asked) { set(p, value) }))
	}
	return points
}

func one(points ...point.Asked) []point.Asked { return points }

func TestEveryKeyIsReadIntoItsField(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keys string
		want []point.Asked
	}{
		{"kind: unary", one(plain())},
		{"kind: unary\nrequest_bytes: [0, 1kB, 1 MB, 1KiB, 64MiB, 7B]", each(func(p *point.Asked, n int) {
			p.RequestBytes, p.ResponseBytes = n, n
		}, 0, 1000, 1_000_000, 1024, 64<<20, 7)},
		{"kind: unary\nresponse_bytes: 0", one(plain(func(p *point.Asked) { p.ResponseBytes = 0 }))},
		{"kind: unary\nshape: [1x50, 10000x100]", each(func(p *point.Asked, shape [2]int) {
			p.Connections, p.InFlight = shape[0], shape[1]
		}, [2]int{1, 50}, [2]int{10_000, 100})},
		{"kind: unary\nload: [closed, constant 10000000/s, poisson 0.5/s]", one(plain(),
			plain(func(p *point.Asked) { p.Load, p.OfferedPerSec = "constant", 1e7 }),
			plain(func(p *point.Asked) { p.Load, p.OfferedPerSec = "poisson", 0.5 }))},
		{"kind: unary\nsecurity: [tls, mtls]\nnetwork: unix", each(func(p *point.Asked, security string) {
			p.Security, p.Network = security, "unix"
		}, "tls", "mtls")},
		{"kind: unary\ncompression: gzip\npayload: [json, zeros]", each(func(p *point.Asked, payload string) {
			p.Compression, p.Payload = "gzip", payload
		}, "json", "zeros")},
		{"kind: unary\nclient_cpus: 1,0,3\nserver_cpus: [all, 2-3, 1023]", each(func(p *point.Asked, cpus string) {
			p.ClientCPUs, p.ServerCPUs = "0-1,3", cpus
		}, "", "2-3", "1023")},
		{"kind: unary\noptions: {a: 1, b: true}", one(plain(func(p *point.Asked) {
			p.Options = map[string]string{"a": "1", "b": "true"}
		}))},
		{"kind: unary\noptions: [{}, {a: x}]", each(func(p *point.Asked, options map[string]string) {
			p.Options = options
		}, map[string]string{}, map[string]string{"a": "x"})},
		{"kind: unary\ndeadline: [1ms, 24h]", each(func(p *point.Asked, deadline time.Duration) {
			p.DeadlineNs = deadline.Nanoseconds()
		}, time.Millisecond, 24*time.Hour)},
		{"kind: unary\nduration: 300ms\nwarmup: 0s\ndrain: 1ns\ntrials: 1000", one(plain(func(p *point.Asked) {
			p.DurationNs, p.WarmupNs, p.DrainNs, p.Trials = 300e6, 0, 1, 1000
		}))},
		{"kind: unary\nwarmup: 2s..10s", one(plain(func(p *point.Asked) { p.WarmupNs, p.WarmupMostNs = 2e9, 10e9 }))},
		{"kind: unary\nwarmup: 0s..2001ms", one(plain(func(p *point.Asked) { p.WarmupNs, p.WarmupMostNs = 0, 2001e6 }))},
		{"kind: unary\ncalls: 10000000000", one(plain(func(p *point.Asked) { p.DurationNs, p.Calls = 0, 10_000_000_000 }))},
		{"kind: stream", one(plain(func(p *point.Asked) { p.Kind, p.Messages = "stream", 1000 }))},
		{"kind: ping_pong\nshape: 1x8\nstreams: [1, 8]", each(func(p *point.Asked, streams int) {
			p.Kind, p.InFlight, p.Streams = "ping_pong", 8, streams
		}, 1, 8)},
		{"kind: upload\nrequest_bytes: 5\nmessages: [1, 10000000]", each(func(p *point.Asked, messages int) {
			p.Kind, p.RequestBytes, p.ResponseBytes, p.Messages = "upload", 5, 0, messages
		}, 1, 10_000_000)},
		{"kind: download\nresponse_bytes: 5\nrequest_bytes: 6\nmessages: 2", one(plain(func(p *point.Asked) {
			p.Kind, p.RequestBytes, p.ResponseBytes, p.Messages = "download", 6, 5, 2
		}))},
		{"kind: connect", one(plain(func(p *point.Asked) {
			p.Kind, p.RequestBytes, p.ResponseBytes, p.DurationNs, p.Calls = "connect", 0, 0, 0, 1000
		}))},
		{"kind: unary\njvm_options: ['', ' -Xms2g  \"-Da=b c\" ']", each(func(p *point.Asked, options string) {
			p.JVMOptions = options
		}, "", `-Xms2g  "-Da=b c"`)},
		{"kind: encode", one(coded())},
		{"kind: decode\nmessage: large-sparse\ncodec: [json, json-gzip]\nsample: 1ms", one(
			coded(func(p *point.Asked) { p.Kind, p.Message, p.Codec, p.SampleNs = "decode", "large-sparse", "json", 1e6 }),
			coded(func(p *point.Asked) {
				p.Kind, p.Message, p.Codec, p.SampleNs = "decode", "large-sparse", "json-gzip", 1e6
			}))},
		{"kind: encode\ncalls: 3\nsample: 59s\ndeadline: 1m", one(coded(func(p *point.Asked) {
			p.DurationNs, p.Calls, p.SampleNs, p.DeadlineNs = 0, 3, 59e9, 60e9
		}))},
		{"kind: first_call\ncalls: 50", one(plain(func(p *point.Asked) {
			p.Kind, p.RequestBytes, p.ResponseBytes, p.DurationNs, p.Calls = "first_call", 0, 0, 0, 50
		}))},
	} {
		got := onlyCase(t, test.keys).Points()
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s\n%s", test.keys, diff)
		}
	}
}

func onlyCase(t *testing.T, keys string) Case {
	t.Helper()
	return parse(t, inCase(keys)).Cases[0]
}

// Which stacks call which servers is the plan's to say.
func TestStacksAndServersAreNoPartOfTheProduct(t *testing.T) {
	t.Parallel()
	c := onlyCase(t, "kind: unary\nstack: [a, all]\nserver: [c, d]")
	if got := c.Points(); len(got) != 1 || c.Size(10) != 1 {
		t.Errorf("%d points, of size %d, want 1", len(got), c.Size(10))
	}
	if got := listed(c, "stack", func(p point.Asked) string { return p.Stack }); !cmp.Equal(got, []string{"a", "all"}) {
		t.Errorf("stacks %v", got)
	}
	if got := listed(c, "server", func(p point.Asked) string { return p.Server }); !cmp.Equal(got, []string{"c", "d"}) {
		t.Errorf("servers %v", got)
	}
}

// listed are a case's values of a key.
func listed[T any](c Case, key string, of func(point.Asked) T) []T {
	var values []T
	for _, p := range c.Each(key) {
		values = append(values, of(p))
	}
	return values
}

func TestASizeIsThatOfTheProductUpToALimit(t *testing.T) {
	t.Parallel()
	c := onlyCase(t, "kind: unary\nrequest_bytes: [1, 2, 3]\nresponse_bytes: [1, 2]\nshape: [1x1, 1x2]")
	for most, want := range map[int]int{100: 12, 12: 12, 11: 12, 5: 6} {
		if got := c.Size(most); got != want {
			t.Errorf("up to %d: %d, want %d", most, got, want)
		}
	}
	if got := len(c.Points()); got != 12 {
		t.Errorf("%d points, want 12", got)
	}
}

func TestAListOfKindsIsOneCaseForEachWithWhatItCanHave(t *testing.T) {
	t.Parallel()
	keys := "kind: [unary, stream, first_call, unary]\nmessages: 7\nduration: 2s\nrequest_bytes: 9"
	var got []point.Asked
	for _, c := range parse(t, inCase(keys)).Cases {
		got = append(got, c.Points()...)
	}
	want := []point.Asked{
		plain(func(p *point.Asked) { p.RequestBytes, p.ResponseBytes, p.DurationNs = 9, 9, 2e9 }),
		plain(func(p *point.Asked) {
			p.Kind, p.RequestBytes, p.ResponseBytes, p.Messages, p.DurationNs = "stream", 9, 9, 7, 2e9
		}),
		plain(func(p *point.Asked) {
			p.Kind, p.RequestBytes, p.ResponseBytes, p.DurationNs, p.Calls = "first_call", 0, 0, 0, 1000
		}),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAScenarioMayBeWrittenOnWindows(t *testing.T) {
	t.Parallel()
	s := parse(t, "\ufeffname: x\r\nquestion: |\r\n  What\r\n   is it?\r\ncases:\r\n  - {title: a, kind: unary}\r\n")
	if s.Name != "x" || s.Question != "What is it?" || len(s.Cases) != 1 {
		t.Errorf("got %q, %q, %d cases", s.Name, s.Question, len(s.Cases))
	}
}

func TestTextsAreJoinedIntoOneLine(t *testing.T) {
	t.Parallel()
	s := parse(t, "question: |\n  What\n   is it?\nname: x\nnote: >\n  A\n  note.\ncases: [{title: ' a  b ', kind: unary}]")
	if s.Name != "x" || s.Question != "What is it?" || s.Note != "A note." || s.Cases[0].Title != "a b" {
		t.Errorf("got %q, %q, %q, %q", s.Name, s.Question, s.Note, s.Cases[0].Title)
	}
}

func TestTrialsOfAScenarioAreTheMostOfItsCases(t *testing.T) {
	t.Parallel()
	s := parse(t, "name: x\nquestion: y\ndefaults: {kind: unary, trials: 4}\n"+
		"cases: [{title: a, trials: 7}, {title: b}, {title: c, trials: 2}]")
	if s.Trials() != 7 {
		t.Errorf("got %d, want 7", s.Trials())
	}
}

func TestWhereTellsWhoGaveAValue(t *testing.T) {
	t.Parallel()
	s := parse(t, inCase("kind: unary\nstack: [b,\n  c]\nserver: d"))
	s2, err := Apply([]Scenario{s}, []Override{{Key: "server", Value: "[e, f]"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		in   Case
		key  string
		i    int
		want string
	}{
		{s.Cases[0], "stack", 0, "my.yaml:6:11"},
		{s.Cases[0], "stack", 1, "my.yaml:7:5"},
		{s.Cases[0], "server", 0, "my.yaml:8:11"},
		{s.Cases[0], "options", 0, "my.yaml:4:3"},
		{s2[0].Cases[0], "server", 1, "--set server=[e, f]"},
	} {
		if got := test.in.Where(test.key, test.i); got != test.want {
			t.Errorf("%s %d: got %s, want %s", test.key, test.i, got, test.want)
		}
	}
}

func TestACaseKnowsWhatTheCommandLineGave(t *testing.T) {
	t.Parallel()
	s := parse(t, inCase("kind: unary\nwarmup: 2s\nduration: 3s"))
	applied, err := Apply([]Scenario{s}, []Override{{Key: "warmup", Value: "4s"}})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"warmup": true, "duration": false, "drain": false} {
		if got := applied[0].Cases[0].Overridden(key); got != want || s.Cases[0].Overridden(key) {
			t.Errorf("%s: got %t, want %t", key, got, want)
		}
	}
}
