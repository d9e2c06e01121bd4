package scenario

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

var ignorePlaces = cmpopts.IgnoreUnexported(Case{})

// plain is the case of kind unary that says nothing else.
func plain(change func(*Case)) Case {
	c := Case{
		Title: "a", Kind: "unary", RequestBytes: []int{1000},
		Shapes: []Shape{{1, 1}}, Loads: []Arrivals{{Process: "closed"}}, Securities: []string{"plaintext"},
		Networks: []string{"tcp"}, Compressions: []string{"none"}, Payloads: []string{"random"},
		Deadlines: []time.Duration{10 * time.Second}, Duration: 5 * time.Second, Warmup: Warmup{Least: time.Second},
		Drain: 10 * time.Second, Trials: 3,
	}
	change(&c)
	return c
}

// coded is the case of kind encode that says nothing else.
func coded(change func(*Case)) Case {
	c := plain(func(c *Case) {
		c.Kind, c.RequestBytes, c.ResponseBytes = "encode", []int{0}, []int{0}
		c.CodecMessages, c.Codecs, c.Sample = []string{"all"}, []string{"all"}, 20*time.Millisecond
	})
	change(&c)
	return c
}

func TestEveryKeyIsReadIntoItsField(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keys string
		want Case
	}{
		{"kind: unary", plain(func(*Case) {})},
		{"kind: unary\nstack: grpc-go", plain(func(c *Case) { c.Stacks = []string{"grpc-go"} })},
		{"kind: unary\nstack: [a, b]\nserver: c", plain(func(c *Case) {
			c.Stacks, c.Servers = []string{"a", "b"}, []string{"c"}
		})},
		{"kind: unary\nrequest_bytes: [0, 1kB, 1 MB, 1KiB, 64MiB, 7B]", plain(func(c *Case) {
			c.RequestBytes = []int{0, 1000, 1_000_000, 1024, 64 << 20, 7}
		})},
		{"kind: unary\nresponse_bytes: 0", plain(func(c *Case) { c.ResponseBytes = []int{0} })},
		{"kind: unary\nshape: [1x50, 10000x100]", plain(func(c *Case) { c.Shapes = []Shape{{1, 50}, {10000, 100}} })},
		{"kind: unary\nload: [closed, constant 10000000/s, poisson 0.5/s]", plain(func(c *Case) {
			c.Loads = []Arrivals{{"closed", 0}, {"constant", 1e7}, {"poisson", 0.5}}
		})},
		{"kind: unary\nsecurity: [tls, mtls]\nnetwork: unix", plain(func(c *Case) {
			c.Securities, c.Networks = []string{"tls", "mtls"}, []string{"unix"}
		})},
		{"kind: unary\ncompression: gzip\npayload: [json, zeros]", plain(func(c *Case) {
			c.Compressions, c.Payloads = []string{"gzip"}, []string{"json", "zeros"}
		})},
		{"kind: unary\nclient_cpus: 1,0,3\nserver_cpus: [all, 2-3, 1023]", plain(func(c *Case) {
			c.ClientCPUs, c.ServerCPUs = []string{"0-1,3"}, []string{"", "2-3", "1023"}
		})},
		{"kind: unary\noptions: {a: 1, b: true}", plain(func(c *Case) {
			c.Options = []map[string]string{{"a": "1", "b": "true"}}
		})},
		{"kind: unary\noptions: [{}, {a: x}]", plain(func(c *Case) { c.Options = []map[string]string{{}, {"a": "x"}} })},
		{"kind: unary\ndeadline: [1ms, 24h]", plain(func(c *Case) {
			c.Deadlines = []time.Duration{time.Millisecond, 24 * time.Hour}
		})},
		{"kind: unary\nduration: 300ms\nwarmup: 0s\ndrain: 1ns\ntrials: 1000", plain(func(c *Case) {
			c.Duration, c.Warmup, c.Drain, c.Trials = 300*time.Millisecond, Warmup{}, 1, 1000
		})},
		{"kind: unary\nwarmup: 2s..10s", plain(func(c *Case) { c.Warmup = Warmup{2 * time.Second, 10 * time.Second} })},
		{"kind: unary\nwarmup: 0s..2001ms", plain(func(c *Case) { c.Warmup = Warmup{0, 2001 * time.Millisecond} })},
		{"kind: unary\ncalls: 10000000000", plain(func(c *Case) { c.Duration, c.Calls = 0, 10_000_000_000 })},
		{"kind: stream", plain(func(c *Case) { c.Kind, c.Messages = "stream", []int{1000} })},
		{"kind: ping_pong\nshape: 1x8\nstreams: [1, 8]", plain(func(c *Case) {
			c.Kind, c.Shapes, c.Streams = "ping_pong", []Shape{{1, 8}}, []int{1, 8}
		})},
		{"kind: upload\nrequest_bytes: 5\nmessages: [1, 10000000]", plain(func(c *Case) {
			c.Kind, c.RequestBytes, c.ResponseBytes, c.Messages = "upload", []int{5}, []int{0}, []int{1, 10_000_000}
		})},
		{"kind: download\nresponse_bytes: 5\nrequest_bytes: 6\nmessages: 2", plain(func(c *Case) {
			c.Kind, c.RequestBytes, c.ResponseBytes, c.Messages = "download", []int{6}, []int{5}, []int{2}
		})},
		{"kind: connect", plain(func(c *Case) {
			c.Kind, c.RequestBytes, c.ResponseBytes, c.Duration, c.Calls = "connect", []int{0}, []int{0}, 0, 1000
		})},
		{"kind: unary\nstack: all\nserver: all", plain(func(c *Case) {
			c.Stacks, c.Servers = []string{"all"}, []string{"all"}
		})},
		{"kind: unary\njvm_options: ['', ' -Xms2g  \"-Da=b c\" ']", plain(func(c *Case) {
			c.JVMOptions = []string{"", `-Xms2g  "-Da=b c"`}
		})},
		{"kind: encode", coded(func(*Case) {})},
		{"kind: decode\nmessage: [small, large-sparse]\ncodec: [json, json-gzip]\nsample: 1ms", coded(func(c *Case) {
			c.Kind, c.CodecMessages, c.Codecs = "decode", []string{"small", "large-sparse"}, []string{"json", "json-gzip"}
			c.Sample = time.Millisecond
		})},
		{"kind: encode\ncalls: 3\nsample: 59s\ndeadline: 1m", coded(func(c *Case) {
			c.Duration, c.Calls, c.Sample, c.Deadlines = 0, 3, 59*time.Second, []time.Duration{time.Minute}
		})},
		{"kind: first_call\ncalls: 50", plain(func(c *Case) {
			c.Kind, c.RequestBytes, c.ResponseBytes, c.Duration, c.Calls = "first_call", []int{0}, []int{0}, 0, 50
		})},
	} {
		got := parse(t, inCase(test.keys)).Cases
		if diff := cmp.Diff([]Case{test.want}, got, ignorePlaces); diff != "" {
			t.Errorf("%s\n%s", test.keys, diff)
		}
	}
}

func TestAListOfKindsIsOneCaseForEachWithWhatItCanHave(t *testing.T) {
	t.Parallel()
	got := parse(t, inCase("kind: [unary, stream, first_call, unary]\nmessages: 7\nduration: 2s\nrequest_bytes: 9")).Cases
	want := []Case{
		plain(func(c *Case) { c.RequestBytes, c.Duration = []int{9}, 2*time.Second }),
		plain(func(c *Case) {
			c.Kind, c.RequestBytes, c.Messages, c.Duration = "stream", []int{9}, []int{7}, 2*time.Second
		}),
		plain(func(c *Case) {
			c.Kind, c.RequestBytes, c.ResponseBytes, c.Duration, c.Calls = "first_call", []int{0}, []int{0}, 0, 1000
		}),
	}
	if diff := cmp.Diff(want, got, ignorePlaces); diff != "" {
		t.Error(diff)
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
