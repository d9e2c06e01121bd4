package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

var (
	everyKind = []string{stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindStream, stack.KindPingPong,
		stack.KindUpload, stack.KindDownload, stack.KindBothWays, stack.KindBurst}
	both       = []string{stack.NetworkTCP, stack.NetworkUnix}
	securities = []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS}
)

func fake(name, protocol string, kinds ...string) stack.Info {
	return stack.Info{Name: name, Protocol: protocol, Serves: true, Calls: true, Kinds: kinds, Networks: both,
		Securities: securities, Compressions: []string{"none", "gzip"}}
}

// fakes are five stacks that can what the binary's can.
func fakes() []stack.Info {
	tcp := fake("tcp", "tcp", everyKind...)
	tcp.Compressions = []string{"none"}
	grpc := fake("grpc-go", "grpc", everyKind...)
	grpc.Options = []stack.Option{{Name: "write_buffer_bytes", Client: true, Server: true},
		{Name: "server_workers", Server: true}, {Name: "dial_retries", Client: true}, {Name: "retired"}}
	connect := fake("connect-go", "connect", everyKind[1:]...)
	connect.Networks = []string{stack.NetworkTCP}
	return []stack.Info{tcp, grpc, connect, fake("connect-go-json", "connect", everyKind[1:]...),
		fake("http-json-go", "http-json", stack.KindFirstCall, stack.KindUnary)}
}

func parse(t *testing.T, name, cases string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("my.yaml", []byte("name: "+name+"\nquestion: y\ncases:\n"+cases))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func planned(t *testing.T, config Config, scenarios ...scenario.Scenario) Plan {
	t.Helper()
	p, err := New(scenarios, fakes(), config)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// lines tells each trial's repetition, Spec, cases and whether it is the floor, in order of execution.
func lines(p Plan) []string {
	var lines []string
	for _, t := range p.Trials {
		line := fmt.Sprintf("%d %s", t.Repetition, t.Spec)
		if t.Floor {
			line += " (floor)"
		}
		for _, c := range t.Cases {
			line += " | " + c.Scenario + ": " + c.Title
		}
		lines = append(lines, line)
	}
	return lines
}

func TestIdenticalTrialsArePlannedOnceWithAllTheirCases(t *testing.T) {
	t.Parallel()
	one := parse(t, "one", "- {title: a, kind: unary, stack: grpc-go, trials: 2}\n"+
		"- {title: b, kind: unary, stack: [grpc-go, grpc-go], request_bytes: [1kB, 1000], trials: 1}")
	two := parse(t, "two", "- {title: a, kind: unary, stack: grpc-go, response_bytes: 1000, trials: 3}")
	want := []string{
		"1 grpc-go unary 1000 B 1x1 closed | one: a | one: b | two: a",
		"2 grpc-go unary 1000 B 1x1 closed | one: a | two: a",
		"3 grpc-go unary 1000 B 1x1 closed | two: a",
	}
	if diff := cmp.Diff(want, lines(planned(t, Config{}, one, two))); diff != "" {
		t.Error(diff)
	}
}

func TestTheFloorIsOneTrialForEachDistinctPoint(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, cases string
		floor       bool
		want        []string
	}{
		{"shared by stacks, options dropped", "- {title: a, kind: unary, stack: [grpc-go, connect-go], trials: 1}\n" +
			"- {title: b, kind: unary, stack: grpc-go, options: {write_buffer_bytes: 1}, trials: 1}", true, []string{
			"grpc-go unary 1000 B 1x1 closed | x: a",
			"tcp unary 1000 B 1x1 closed (floor) | x: a | x: b",
			"connect-go unary 1000 B 1x1 closed | x: a",
			"grpc-go unary 1000 B 1x1 closed write_buffer_bytes=1 | x: b",
		}},
		{"named by the user, it is the same", "- {title: a, kind: unary, stack: [tcp, grpc-go], trials: 1}", true, []string{
			"tcp unary 1000 B 1x1 closed (floor) | x: a",
			"grpc-go unary 1000 B 1x1 closed | x: a",
		}},
		{"turned off", "- {title: a, kind: unary, stack: [tcp, grpc-go], trials: 1}", false, []string{
			"tcp unary 1000 B 1x1 closed | x: a",
			"grpc-go unary 1000 B 1x1 closed | x: a",
		}},
		{"not in all", "- {title: a, kind: connect, trials: 1}", false, []string{
			"grpc-go connect 1x1 closed | x: a",
		}},
		{"none for compression", "- {title: a, kind: unary, stack: grpc-go, compression: [none, gzip], trials: 1}", true,
			[]string{
				"grpc-go unary 1000 B 1x1 closed | x: a",
				"tcp unary 1000 B 1x1 closed (floor) | x: a",
				"grpc-go unary 1000 B 1x1 closed gzip | x: a",
			}},
		{"everything else kept", "- {title: a, kind: ping_pong, stack: connect-go-json, server: connect-go, shape: 2x8, " +
			"streams: 4, load: poisson 7/s, security: tls, payload: json, client_cpus: 0, deadline: 1s, trials: 1}", true,
			[]string{
				"connect-go-json ping_pong 1000 B 2x8 poisson 7/s server connect-go streams 4 tls json client on 0 deadline 1s | x: a",
				"tcp ping_pong 1000 B 2x8 poisson 7/s streams 4 tls json client on 0 deadline 1s (floor) | x: a",
			}},
	} {
		got := lines(unshuffled(t, test.floor, parse(t, "x", test.cases)))
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], "1 ")
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// unshuffled plans one repetition in the order of the cases.
func unshuffled(t *testing.T, floor bool, s scenario.Scenario) Plan {
	t.Helper()
	b := newBuilder(fakes(), Config{Floor: floor})
	for _, c := range s.Cases {
		if err := b.add(s.Name, c); err != nil {
			t.Fatal(err)
		}
	}
	var p Plan
	for _, point := range b.demands.list {
		trial, _ := point.trial(1)
		p.Trials = append(p.Trials, trial)
	}
	return p
}

func TestWhatAStackCannotDoIsLeftOutWithANote(t *testing.T) {
	t.Parallel()
	fakesWith := func(change func(tcp, grpc *stack.Info)) []stack.Info {
		stacks := fakes()
		change(&stacks[0], &stacks[1])
		return stacks
	}
	for _, test := range []struct {
		name, cases string
		stacks      []stack.Info
		want        []string
	}{
		{"kinds, merged over points", "- {title: a, kind: [stream, upload], shape: [1x1, 1x2]}", fakes(), []string{
			"http-json-go is left out of 2 points: it has no kind stream.",
			"http-json-go is left out of 2 points: it has no kind upload.",
		}},
		{"network", "- {title: a, kind: unary, stack: [grpc-go, connect-go], network: [tcp, unix]}", fakes(), []string{
			"connect-go is left out of 1 point: it has no network unix.",
		}},
		{"protocol", "- {title: a, kind: unary, server: grpc-go}", fakes(), []string{
			"connect-go against grpc-go is left out of 1 point: connect-go speaks connect and grpc-go speaks grpc.",
			"connect-go-json against grpc-go is left out of 1 point: connect-go-json speaks connect and grpc-go speaks grpc.",
			"http-json-go against grpc-go is left out of 1 point: http-json-go speaks http-json and grpc-go speaks grpc.",
		}},
		{"the server's inability", "- {title: a, kind: unary, stack: connect-go-json, server: [all], network: unix}",
			fakes(), []string{
				"connect-go-json against grpc-go is left out of 1 point: connect-go-json speaks connect and grpc-go speaks grpc.",
				"connect-go-json against connect-go is left out of 1 point: connect-go has no network unix.",
				"connect-go-json against http-json-go is left out of 1 point: " +
					"connect-go-json speaks connect and http-json-go speaks http-json.",
			}},
		{"security and compression", "- {title: a, kind: unary, security: [tls, mtls], compression: [none, gzip]}",
			fakesWith(func(tcp, grpc *stack.Info) {
				tcp.Securities, grpc.Securities = securities[:1], securities[:2]
				grpc.Compressions = []string{"none"}
			})[:2], []string{
				"The floor is missing at 1 point: tcp has no security tls.",
				"grpc-go is left out of 1 point: it has no compression gzip.",
				"grpc-go is left out of 2 points: it has no security mtls.",
			}},
		{"none where the floor has no compression", "- {title: a, kind: unary, stack: grpc-go, compression: gzip}", fakes(), nil},
		{"a binary without the floor", "- {title: a, kind: unary, request_bytes: [1, 2]}", fakes()[1:3], []string{
			"The floor is missing at 2 points: there is no stack tcp.",
		}},
	} {
		p, err := New([]scenario.Scenario{parse(t, "x", test.cases)}, test.stacks, Config{Floor: true})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if diff := cmp.Diff(test.want, texts(p.Notes)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

func TestOneSidedStacksPairWithTheOther(t *testing.T) {
	t.Parallel()
	client, server := fake("c", "grpc", "unary"), fake("s", "grpc", "unary")
	client.Serves, server.Calls = false, false
	s := parse(t, "x", "- {title: a, kind: unary, stack: [c, s], server: [c, s], trials: 1}")
	p, err := New([]scenario.Scenario{s}, []stack.Info{client, server}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 c unary 1000 B 1x1 closed server s | x: a"}, lines(p)); diff != "" {
		t.Error(diff)
	}
	notes := []string{
		"c is left out of 1 point: it has no server.",
		"s against c is left out of 1 point: s has no client.",
		"s is left out of 1 point: it has no client.",
	}
	if diff := cmp.Diff(notes, texts(p.Notes)); diff != "" {
		t.Error(diff)
	}
}

func TestABadPlanIsOneSentenceWithItsPlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ cases, want string }{
		{"- title: a\n  kind: unary\n  stack: [grpc-go, grcp-go]",
			`my.yaml:6:20: stack: "grcp-go" is unknown; did you mean "grpc-go"?`},
		{"- title: a\n  kind: unary\n  server: rust", `my.yaml:6:11: server: "rust" is unknown; ` +
			`known: connect-go, connect-go-json, grpc-go, http-json-go, tcp`},
		{"- title: a\n  kind: unary\n  stack: grpc-go\n  options: [{}, {write_bufer_bytes: 1}]",
			`my.yaml:7:18: options: grpc-go has no option "write_bufer_bytes"; did you mean "write_buffer_bytes"?`},
		{"- title: a\n  kind: unary\n  stack: grpc-go\n  options: {retired: 1}",
			`my.yaml:7:13: options: grpc-go has no option "retired"; known: dial_retries, server_workers, write_buffer_bytes`},
		{"- title: a\n  kind: unary\n  stack: [grpc-go, tcp]\n  options: {write_buffer_bytes: 1}",
			`my.yaml:7:13: options: tcp has no option "write_buffer_bytes"; there is none`},
		{"- title: a\n  kind: unary\n  stack: grpc-go\n- title: b\n  kind: stream\n  stack: [grpc-go, http-json-go]",
			"my.yaml:9:20: stack: http-json-go supports no point of the plan: http-json-go has no kind stream"},
		{"- title: a\n  kind: stream\n  server: [grpc-go, http-json-go]\n  stack: grpc-go",
			"my.yaml:6:21: server: http-json-go supports no point of the plan: grpc-go speaks grpc and " +
				"http-json-go speaks http-json"},
		{"- title: a\n  kind: unary\n  stack: grpc-go\n  trials: 1000\n  request_bytes: [" +
			strings.Repeat("1,2,3,4,5,6,7,8,9,10,", 5) + "11]\n  response_bytes: [1,2,3,4,5,6,7,8,9,10]",
			`my.yaml:4:3: case "a" raises the plan above 100000 trials`},
		{"- title: a\n  kind: unary\n" + hugeAxes(), `my.yaml:4:3: case "a" has more than 100000 points`},
	} {
		_, err := New([]scenario.Scenario{parse(t, "x", test.cases)}, fakes(), Config{Floor: true})
		checkError(t, err, test.want)
	}
}

func TestACaseIsRefusedAtTheTrialThatIsTooMany(t *testing.T) {
	t.Parallel()
	b := newBuilder(fakes(), Config{})
	const trials = 1000
	s := parse(t, "x", "- title: a\n  kind: unary\n  stack: grpc-go\n  trials: 1000\n  request_bytes: ["+
		strings.Join(numbered(1, 400), ", ")+"]")
	checkError(t, b.add(s.Name, s.Cases[0]), `my.yaml:4:3: case "a" raises the plan above 100000 trials`)
	if b.demands.trials != TrialsMax+trials {
		t.Errorf("%d trials were planned before", b.demands.trials)
	}
}

func numbered(from, to int) (list []string) {
	for n := from; n <= to; n++ {
		list = append(list, strconv.Itoa(n))
	}
	return list
}

func TestAnEmptyCaseIsANoteAndAnEmptyScenarioAnError(t *testing.T) {
	t.Parallel()
	json := []stack.Info{fake("http-json-go", "http-json", "unary")}
	some := parse(t, "some", "- {title: a, kind: unary, trials: 1}\n- {title: b, kind: stream, trials: 1}")
	p, err := New([]scenario.Scenario{some}, json, Config{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"http-json-go is left out of 1 point: it has no kind stream."}
	if diff := cmp.Diff(want, texts(p.Notes)); diff != "" || len(p.Trials) != 1 {
		t.Errorf("%d trials, notes:\n%s", len(p.Trials), diff)
	}
	none := parse(t, "none", "- {title: b, kind: stream}")
	_, err = New([]scenario.Scenario{some, none}, json, Config{})
	checkError(t, err, `scenario "none" has no trial left: http-json-go has no kind stream`)
}

// hugeAxes have 400^4 points of each stack.
func hugeAxes() string {
	var keys strings.Builder
	for _, key := range []string{"request_bytes", "response_bytes"} {
		fmt.Fprintf(&keys, "  %s: [%s1]\n", key, strings.Repeat("1, ", 399))
	}
	for _, key := range []string{"client_cpus", "server_cpus"} {
		fmt.Fprintf(&keys, "  %s: [%s0]\n", key, strings.Repeat("1, ", 399))
	}
	return keys.String()
}

func TestAnOptionIsKnownWhereItsSideIsThere(t *testing.T) {
	t.Parallel()
	client, server := fake("c", "grpc", "unary"), fake("s", "grpc", "unary")
	client.Options = []stack.Option{{Name: "a", Client: true}, {Name: "b", Server: true}}
	server.Options = []stack.Option{{Name: "c", Client: true}, {Name: "d", Server: true}}
	for option, want := range map[string]string{
		"a": "", "d": "",
		"b": `my.yaml:4:58: options: c against s has no option "b"; known: a, d`,
		"c": `my.yaml:4:58: options: c against s has no option "c"; known: a, d`,
	} {
		s := parse(t, "x", "- {title: a, kind: unary, stack: c, server: s, options: {"+option+": 1}}")
		_, err := New([]scenario.Scenario{s}, []stack.Info{client, server}, Config{})
		if want != "" {
			checkError(t, err, want)
		} else if err != nil {
			t.Errorf("%s: %v", option, err)
		}
	}
}

// A side that knows the option must take its value, at every point of an axis and for each of several stacks.
func TestAValueThatASideDoesNotTakeIsRefusedWithWhatItTakes(t *testing.T) {
	t.Parallel()
	client, server, other := fake("c", "grpc", "unary"), fake("s", "grpc", "unary"), fake("o", "connect", "unary")
	client.Options = []stack.Option{
		{Name: "a", Client: true, Words: []string{"x", "y"}},
		{Name: "n", Client: true, Server: true, Numbers: stack.Range{Min: 1, Max: 9}},
		{Name: "text", Client: true},
	}
	server.Options = []stack.Option{{Name: "n", Client: true, Server: true, Numbers: stack.Range{Min: 1, Max: 5}}}
	other.Options = []stack.Option{{Name: "n", Client: true, Server: true, Numbers: stack.Range{Min: 5, Max: 6}}}
	for _, test := range []struct{ options, want string }{
		{"stack: c, server: s, options: {a: x, n: 5, text: anything}", ""},
		{"stack: c, server: s, options: {a: z}", `my.yaml:4:58: options: the option a of c is "z"; it must be x or y`},
		{"stack: c, server: s, options: {n: 0}",
			`my.yaml:4:58: options: the option n of c is "0"; it must be a whole number from 1 to 9`},
		{"stack: c, server: s, options: {n: 7}",
			`my.yaml:4:58: options: the option n of s is "7"; it must be a whole number from 1 to 5`},
		{
			"stack: c, server: s, options: [{n: 2}, {n: 3}, {n: 10}]",
			`my.yaml:4:75: options: the option n of c is "10"; it must be a whole number from 1 to 9`,
		},
		{"stack: [c, o], options: {n: 5}", ""},
		{"stack: [c, o], options: {n: 7}", `my.yaml:4:52: options: the option n of o is "7"; it must be a whole number from 5 to 6`},
	} {
		s := parse(t, "x", "- {title: a, kind: unary, "+test.options+"}")
		_, err := New([]scenario.Scenario{s}, []stack.Info{client, server, other}, Config{})
		if test.want != "" {
			checkError(t, err, test.want)
		} else if err != nil {
			t.Errorf("%s: %v", test.options, err)
		}
	}
}

func TestAnOverrideIsNamedInThePlansErrors(t *testing.T) {
	t.Parallel()
	o, err := scenario.Shorthand("stacks", "grpc-go,grcp")
	if err != nil {
		t.Fatal(err)
	}
	applied, err := scenario.Apply([]scenario.Scenario{parse(t, "x", "- {title: a, kind: unary}")}, []scenario.Override{o})
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(applied, fakes(), Config{})
	checkError(t, err, `--stacks grpc-go,grcp: stack: "grcp" is unknown; `+
		`known: connect-go, connect-go-json, grpc-go, http-json-go, tcp`)
}

func TestAScenarioGivenTwiceIsAnError(t *testing.T) {
	t.Parallel()
	s := parse(t, "x", "- {title: a, kind: unary}")
	_, err := New([]scenario.Scenario{s, s}, fakes(), Config{})
	checkError(t, err, `scenario "x" is given twice`)
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if _, ok := errors.AsType[*scenario.Error](err); !ok {
		t.Fatalf("got error %v, want a *scenario.Error: %s", err, want)
	}
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
}

func TestATargetStandsInForTheServer(t *testing.T) {
	t.Parallel()
	client := fake("c", "grpc", "unary")
	client.Serves = false
	s := parse(t, "x", "- {title: a, kind: unary, stack: c, trials: 1, target: 'example.test:50051'}")
	p, err := New([]scenario.Scenario{s}, []stack.Info{client}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 c unary 1000 B 1x1 closed against example.test:50051 | x: a"}, lines(p)); diff != "" {
		t.Error(diff)
	}
	if spec := p.Trials[0].Spec; spec.Server != "" || spec.Target != "example.test:50051" || !spec.LengthsOnly {
		t.Errorf("spec %+v", spec)
	}
}
