package plan

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// foreign are the fakes and, from two workers on JVMs and one that is not, stacks with one side or both.
func foreign() ([]stack.Info, Config) {
	okhttp, server := fake("json-okhttp", "http-json", "unary"), fake("json-java", "http-json", "unary")
	okhttp.Serves, server.Calls = false, false
	lone := fake("grpc-lone", "grpc", "unary", "ping_pong")
	lone.Serves = false
	stranger := fake("odd", "odd", "unary")
	stranger.Serves = false
	stacks := append(fakes(), fake("grpc-java", "grpc", everyKind...), okhttp, server, lone, stranger)
	return stacks, Config{Hosts: map[string]Host{
		"grpc-java":   {Worker: "one", JVM: true, Abilities: Abilities{LeastWarmup: 8 * time.Second}},
		"json-okhttp": {Worker: "two", JVM: true, Abilities: Abilities{LeastWarmup: 6 * time.Second}},
		"json-java":   {Worker: "two", JVM: true, Abilities: Abilities{LeastWarmup: 7 * time.Second}},
		"grpc-lone":   {Worker: "three"},
		"odd":         {Worker: "three"},
	}, Elsewhere: map[string]string{"grpc-rust": "make rust builds it", "grpc-ruby": ""}}
}

// inOrder plans one repetition of cases on the foreign stacks, unshuffled, with overrides, and returns the Specs.
func inOrder(t *testing.T, config func(*Config), cases string, overrides ...scenario.Override) ([]Spec, Plan, error) {
	t.Helper()
	stacks, c := foreign()
	config(&c)
	scenarios, err := scenario.Apply([]scenario.Scenario{parse(t, "x", cases)}, overrides)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(scenarios, stacks, c)
	var specs []Spec
	for _, trial := range p.Trials {
		if trial.Repetition == 1 {
			specs = append(specs, trial.Spec)
		}
	}
	return specs, p, err
}

func same(*Config) {}

func names(specs []Spec) []string {
	var names []string
	for _, s := range specs {
		names = append(names, s.String())
	}
	slices.Sort(names)
	return names
}

func TestStacksOfOtherWorkersAreTakenByNameOrByAll(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, keys string
		want       []string
	}{
		{"nobody names one", "kind: unary", []string{
			"connect-go unary 1000 B 1x1 closed", "connect-go-json unary 1000 B 1x1 closed",
			"grpc-go unary 1000 B 1x1 closed", "http-json-go unary 1000 B 1x1 closed",
		}},
		{"all", "kind: ping_pong, stack: all", []string{
			"connect-go ping_pong 1000 B 1x1 closed", "connect-go-json ping_pong 1000 B 1x1 closed",
			"grpc-go ping_pong 1000 B 1x1 closed", "grpc-java ping_pong 1000 B 1x1 closed",
			"grpc-lone ping_pong 1000 B 1x1 closed server grpc-go",
		}},
		{"a client finds its own worker's server", "kind: unary, stack: json-okhttp",
			[]string{"json-okhttp unary 1000 B 1x1 closed server json-java"}},
		{"or the first of its protocol", "kind: unary, stack: grpc-lone",
			[]string{"grpc-lone unary 1000 B 1x1 closed server grpc-go"}},
		{"unless one is named", "kind: unary, stack: grpc-lone, server: grpc-java",
			[]string{"grpc-lone unary 1000 B 1x1 closed server grpc-java"}},
	} {
		specs, _, err := inOrder(t, same, "- {title: a, "+test.keys+"}")
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if diff := cmp.Diff(test.want, names(specs)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
	for keys, want := range map[string]string{
		"kind: unary, stack: json-java": "my.yaml:4:34: stack: json-java supports no point of the plan: " +
			"json-java has no client",
		"kind: unary, stack: odd":       "my.yaml:4:34: stack: odd supports no point of the plan: odd has no server",
		"kind: unary, stack: grpc-rust": `my.yaml:4:34: stack: "grpc-rust" is not available; make rust builds it`,
		"kind: unary, stack: grpc-rudy": `my.yaml:4:34: stack: "grpc-rudy" is unknown; did you mean "grpc-ruby"?`,
		"kind: unary, stack: zzzzzzzzz": `my.yaml:4:34: stack: "zzzzzzzzz" is unknown; known: connect-go, connect-go-json, ` +
			`grpc-go, grpc-java, grpc-lone, http-json-go, json-java, json-okhttp, odd, tcp`,
	} {
		_, _, err := inOrder(t, same, "- {title: a, "+keys+"}")
		checkError(t, err, want)
	}
}

func TestAllLeavesOutWhatIsNoClientWithoutANote(t *testing.T) {
	t.Parallel()
	_, p, err := inOrder(t, same, "- {title: a, kind: unary, stack: all}")
	if want := []string{"odd is left out of 1 point: it has no server."}; err != nil || !slices.Equal(texts(p.Notes), want) {
		t.Errorf("got %q, %v", p.Notes, err)
	}
}

func TestAWarmUpIsAsLongAsBothSidesWantIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keys string
		want time.Duration
	}{
		{"stack: grpc-go", time.Second},
		{"stack: grpc-java", 8 * time.Second},
		{"stack: grpc-go, server: grpc-java", 8 * time.Second},
		{"stack: json-okhttp", 7 * time.Second},
		{"stack: json-okhttp, server: http-json-go", 6 * time.Second},
		{"stack: grpc-java, warmup: 9s", 9 * time.Second},
	} {
		specs, p, err := inOrder(t, same, "- {title: a, kind: unary, trials: 1, "+test.keys+"}")
		if err != nil || specs[0].WarmupNs != test.want.Nanoseconds() || len(p.Notes) > 0 {
			t.Errorf("%s: got %+v, %q, %v; want %s", test.keys, specs, p.Notes, err, test.want)
		}
		if want := point.TrialOverhead + 5*time.Second + test.want; p.Expected() != want {
			t.Errorf("%s: got %s expected, want %s", test.keys, p.Expected(), want)
		}
	}
	target, p, err := inOrder(t, same, "- {title: a, kind: unary, stack: json-okhttp, target: 'h:1'}")
	if err != nil || target[0].WarmupNs != 6e9 || len(p.Notes) > 0 {
		t.Errorf("against a target: got %+v, %v", target, err)
	}
}

func TestAWarmUpUntilSteadyGrowsAtBothEndsWithWhatRuntimesWant(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keys        string
		least, most time.Duration
	}{
		{"stack: grpc-go, warmup: 2s..6s", 2 * time.Second, 6 * time.Second},
		{"stack: grpc-java, warmup: 2s..6s", 8 * time.Second, 20 * time.Second},
		{"stack: grpc-java, warmup: 2s..30s", 8 * time.Second, 30 * time.Second},
		{"stack: grpc-java, warmup: 9s..10s", 9 * time.Second, 10 * time.Second},
		{"stack: json-okhttp, warmup: 0s..3s", 7 * time.Second, 17500 * time.Millisecond},
	} {
		specs, p, err := inOrder(t, same, "- {title: a, kind: unary, trials: 1, "+test.keys+"}")
		if err != nil || specs[0].WarmupNs != test.least.Nanoseconds() || specs[0].WarmupMostNs != test.most.Nanoseconds() {
			t.Errorf("%s: got %+v, %v; want %s to %s", test.keys, specs, err, test.least, test.most)
		}
		if want := point.TrialOverhead + 5*time.Second + test.most; p.Expected() != want || len(p.Notes) > 0 {
			t.Errorf("%s: got %s expected, want %s; notes %q", test.keys, p.Expected(), want, p.Notes)
		}
	}
}

func TestAWarmUpUntilSteadyOfTheCommandLineIsObeyedAndNoted(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"2s..10s": "The warm-up of 2s..10s may be shorter than the 8s that grpc-java needs: its figures include " +
			"the start of its runtime.",
		"2s..3s": "The warm-up of 2s..3s is shorter than the 8s that grpc-java needs: its figures include the " +
			"start of its runtime.",
	} {
		override := scenario.Override{Key: "warmup", Value: value}
		specs, p, err := inOrder(t, same, "- {title: a, kind: unary, stack: grpc-java}", override)
		if err != nil || specs[0].WarmupNs != 2e9 || !slices.Equal(texts(p.Notes), []string{want}) {
			t.Errorf("%s: got %+v, %q, %v", value, specs, p.Notes, err)
		}
	}
}

func TestAWarmUpOfTheCommandLineIsObeyedAndNoted(t *testing.T) {
	t.Parallel()
	short := scenario.Override{Key: "warmup", Value: "300ms"}
	specs, p, err := inOrder(t, same, "- {title: a, kind: unary, stack: [grpc-java, grpc-go], shape: [1x1, 1x2]}", short)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range specs {
		if spec.WarmupNs != 300e6 {
			t.Errorf("%s: warm-up %d", spec, spec.WarmupNs)
		}
	}
	want := []string{"The warm-up of 300ms is shorter than the 8s that grpc-java needs: its figures include the " +
		"start of its runtime."}
	if diff := cmp.Diff(want, texts(p.Notes)); diff != "" {
		t.Error(diff)
	}
}

func TestStacksThatWantTheSameWarmUpAreNamedTogether(t *testing.T) {
	t.Parallel()
	eight := Host{JVM: true, Abilities: Abilities{LeastWarmup: 8 * time.Second}}
	six := Host{JVM: true, Abilities: Abilities{LeastWarmup: 6 * time.Second}}
	hosts := map[string]Host{"grpc-java": eight, "connect-go": eight, "json-okhttp": six,
		"grpc-go": eight}
	short := scenario.Override{Key: "warmup", Value: "1s"}
	_, p, err := inOrder(t, func(c *Config) { c.Hosts = hosts },
		"- {title: a, kind: unary, stack: [grpc-java, connect-go, json-okhttp, grpc-go]}", short)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"The warm-up of 1s is shorter than the 8s that grpc-java, connect-go and grpc-go need: their figures " +
			"include the start of their runtimes.",
		"The warm-up of 1s is shorter than the 6s that json-okhttp needs: its figures include the start of its " +
			"runtime.",
	}
	if diff := cmp.Diff(want, texts(p.Notes)); diff != "" {
		t.Error(diff)
	}
}

func TestTheFloorIsOneWhateverRuntimesWant(t *testing.T) {
	t.Parallel()
	specs, _, err := inOrder(t, func(c *Config) { c.Floor = true }, "- {title: a, kind: unary, "+
		"stack: [grpc-go, grpc-java], jvm_options: -Xmx1g}")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"grpc-go unary 1000 B 1x1 closed", "grpc-java unary 1000 B 1x1 closed JVM -Xmx1g",
		"tcp unary 1000 B 1x1 closed"}
	if diff := cmp.Diff(want, names(specs)); diff != "" {
		t.Error(diff)
	}
	i := slices.IndexFunc(specs, func(s Spec) bool { return s.Stack == FloorStack })
	if floor := specs[i]; floor.WarmupNs != 1e9 || floor.JVMOptions != "" {
		t.Errorf("got %+v", floor)
	}
}

func TestJVMOptionsAreThoseOfTheEnvironmentThenOfTheCase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		environment, keys string
		want              []string
	}{
		{"", "stack: [grpc-go, grpc-java], jvm_options: [-Xmx1g, -Xmx2g]", []string{
			"grpc-go unary 1000 B 1x1 closed", "grpc-java unary 1000 B 1x1 closed JVM -Xmx1g",
			"grpc-java unary 1000 B 1x1 closed JVM -Xmx2g",
		}},
		{"-Da=b", "stack: grpc-java, jvm_options: ['', -Xmx2g]", []string{
			"grpc-java unary 1000 B 1x1 closed JVM -Da=b", "grpc-java unary 1000 B 1x1 closed JVM -Da=b -Xmx2g",
		}},
		{"-Da=b", "stack: grpc-go, server: [grpc-go, grpc-java]", []string{
			"grpc-go unary 1000 B 1x1 closed", "grpc-go unary 1000 B 1x1 closed server grpc-java JVM -Da=b",
		}},
	} {
		specs, _, err := inOrder(t, func(c *Config) { c.JVMOptions = test.environment },
			"- {title: a, kind: unary, "+test.keys+"}")
		if err != nil {
			t.Errorf("%s: %v", test.keys, err)
		} else if diff := cmp.Diff(test.want, names(specs)); diff != "" {
			t.Errorf("%s:\n%s", test.keys, diff)
		}
	}
	_, _, err := inOrder(t, same, "- {title: a, kind: unary, stack: [grpc-go, grpc-lone], jvm_options: ['', -Xmx1g]}")
	checkError(t, err, "my.yaml:4:74: jvm_options: no stack of the plan runs on a JVM, as grpc-java, json-java, json-okhttp would")
}

// codecs are a stack in Go with all messages, and one on a JVM with fewer.
func codecs() ([]stack.Info, Config) {
	coder := func(name string, messages, codecs string) stack.Info {
		return stack.Info{Name: name, Protocol: stack.ProtocolCodec, Calls: true, Kinds: []string{"encode", "decode"},
			Messages: strings.Fields(messages), Codecs: strings.Fields(codecs)}
	}
	return append(fakes(), coder("codec-go", "small address-book newsfeed large large-dense large-sparse",
			"protobuf json json-gzip json-fast protobuf-json"), coder("codec-java", "small large", "protobuf-bytes json")),
		Config{Seed: 1, Floor: true, Hosts: map[string]Host{
			"codec-java": {Worker: "codec", JVM: true, Abilities: Abilities{LeastWarmup: 8 * time.Second}},
		}}
}

func TestACodingHasNoServerAndNoFloor(t *testing.T) {
	t.Parallel()
	stacks, config := codecs()
	for _, test := range []struct {
		keys        string
		want, notes []string
	}{
		{"kind: encode, message: small, codec: [json, json-gzip]",
			[]string{"codec-go encode small json", "codec-go encode small json-gzip"}, nil},
		{"kind: decode, message: [large, newsfeed], codec: [json, protobuf-bytes], stack: all, jvm_options: -Xmx1g", []string{
			"codec-go decode large json", "codec-go decode newsfeed json",
			"codec-java decode large json JVM -Xmx1g", "codec-java decode large protobuf-bytes JVM -Xmx1g",
		}, []string{
			"codec-go is left out of 2 points: it has no codec protobuf-bytes.",
			"codec-java is left out of 2 points: it has no message newsfeed.",
		}},
		{"kind: encode, stack: codec-java, sample: 50ms", []string{
			"codec-java encode large json sample 50ms", "codec-java encode large protobuf-bytes sample 50ms",
			"codec-java encode small json sample 50ms", "codec-java encode small protobuf-bytes sample 50ms",
		}, nil},
	} {
		p, err := New([]scenario.Scenario{parse(t, "x", "- {title: a, trials: 1, "+test.keys+"}")}, stacks, config)
		if err != nil {
			t.Errorf("%s: %v", test.keys, err)
			continue
		}
		var specs []Spec
		for _, trial := range p.Trials {
			specs = append(specs, trial.Spec)
		}
		if diff := cmp.Diff(test.want, names(specs)); diff != "" {
			t.Errorf("%s:\n%s", test.keys, diff)
		}
		if diff := cmp.Diff(test.notes, texts(p.Notes)); diff != "" {
			t.Errorf("%s:\n%s", test.keys, diff)
		}
	}
	p, err := New([]scenario.Scenario{parse(t, "x", "- {title: a, kind: encode, stack: codec-java, message: small, "+
		"codec: json, sample: 30ms, calls: 10, trials: 1}")}, stacks, config)
	want := Spec{Stack: "codec-java", Protocol: "codec", Kind: "encode", Connections: 1, InFlight: 1, Load: LoadClosed,
		Security: "plaintext", Network: "tcp", Compression: "none", Payload: "random", DeadlineNs: 10e9, DrainNs: 10e9,
		WarmupNs: 8e9, Calls: 10, Message: "small", Codec: "json", SampleNs: 30e6}
	if err != nil || len(p.Trials) != 1 {
		t.Fatal(p, err)
	}
	if diff := cmp.Diff(want, p.Trials[0].Spec); diff != "" {
		t.Error(diff)
	}
	if want := point.TrialOverhead + 8*time.Second + 300*time.Millisecond; p.Expected() != want {
		t.Errorf("got %s expected, want %s", p.Expected(), want)
	}
}

func TestAnRPCStackIsNoCodecAndTheOtherWayRound(t *testing.T) {
	t.Parallel()
	stacks, config := codecs()
	for keys, want := range map[string]string{
		"kind: encode, stack: grpc-go": "my.yaml:4:35: stack: grpc-go supports no point of the plan: grpc-go has " +
			"no kind encode",
		"kind: unary, stack: codec-go": "my.yaml:4:34: stack: codec-go supports no point of the plan: codec-go " +
			"has no kind unary",
		"kind: encode, stack: codec-java, codec: yaml": "my.yaml:4:35: stack: codec-java supports no point of " +
			"the plan: codec-java has no codec yaml",
	} {
		_, err := New([]scenario.Scenario{parse(t, "x", "- {title: a, "+keys+"}")}, stacks, config)
		checkError(t, err, want)
	}
	quick, err := New([]scenario.Scenario{builtin(t, "quick")}, stacks, config)
	if err != nil || strings.Contains(strings.Join(texts(quick.Notes), " "), "codec") {
		t.Errorf("got notes %q, %v", quick.Notes, err)
	}
}

// mobiles are the stacks of the scenario mobile, as their workers have them.
func mobiles() ([]stack.Info, Config) {
	client := func(name, protocol string, kinds ...string) stack.Info {
		info := fake(name, protocol, kinds...)
		info.Serves = false
		return info
	}
	server := fake("http-json-java", "http-json", "first_call", "unary")
	server.Calls = false
	tcp := fakes()[0]
	stacks := []stack.Info{tcp, fake("grpc-java-netty", "grpc", everyKind...), client("grpc-java-okhttp", "grpc", everyKind...),
		client("http-json-okhttp", "http-json", "first_call", "unary"),
		client("http-json-urlconnection", "http-json", "first_call", "unary"), server}
	config := Config{Seed: 1, Floor: true, Hosts: map[string]Host{}}
	for _, info := range stacks[1:] {
		config.Hosts[info.Name] = Host{Worker: info.Protocol, JVM: true, Abilities: Abilities{LeastWarmup: 8 * time.Second}}
	}
	return stacks, config
}

func TestOtherBuiltinScenariosAreTheGoldenPlans(t *testing.T) {
	t.Parallel()
	plainly := func() ([]stack.Info, Config) { return fakes(), Config{Seed: 1, Floor: true} }
	for name, given := range map[string]func() ([]stack.Info, Config){
		"codec": codecs, "mobile": mobiles,
		"qps": plainly, "batch": plainly, "patterns": plainly, "channels": plainly, "distance": plainly,
	} {
		stacks, config := given()
		p, err := New([]scenario.Scenario{builtin(t, name)}, stacks, config)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden(t, "testdata/"+name+".golden", p)
	}
}

func TestCompilersAreWaitedForUnlessTheWarmUpIsGiven(t *testing.T) {
	t.Parallel()
	patient := Host{JVM: true, Abilities: Abilities{LeastWarmup: 2 * time.Second, CompilerPatience: 30 * time.Second}}
	hosts := func(c *Config) {
		c.Floor, c.Hosts = true, map[string]Host{"grpc-java": patient}
	}
	for name, test := range map[string]struct {
		keys      string
		overrides []scenario.Override
		want      map[string]int64
	}{
		"a duration": {"kind: unary, stack: [grpc-go, grpc-java]", nil,
			map[string]int64{"grpc-go": 0, "grpc-java": 30e9, FloorStack: 0}},
		"its server alone": {"kind: unary, stack: grpc-go, server: grpc-java", nil, map[string]int64{"grpc-go": 30e9, FloorStack: 0}},
		"calls":            {"kind: first_call, calls: 10, stack: grpc-java", nil, map[string]int64{"grpc-java": 0, FloorStack: 0}},
		"the case's warm-up": {"kind: unary, stack: grpc-java, warmup: 9s", nil,
			map[string]int64{"grpc-java": 30e9, FloorStack: 0}},
		"one that is given": {"kind: unary, stack: grpc-java", []scenario.Override{{Key: "warmup", Value: "9s"}},
			map[string]int64{"grpc-java": 0, FloorStack: 0}},
	} {
		specs, _, err := inOrder(t, hosts, "- {title: a, "+test.keys+"}", test.overrides...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := map[string]int64{}
		for _, s := range specs {
			got[s.Stack] = s.CompilersMostNs
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A worker may have one payload only, and lack what its stack does not tell.
func TestAWorkersOwnPayloadIsTakenWhereNobodyAsksForAnother(t *testing.T) {
	t.Parallel()
	only := func(c *Config) {
		c.Hosts["grpc-java"] = Host{Worker: "one", Payload: "zeros", Note: "Take care.", Lacks: func(s Spec) string {
			if s.Calls > 0 {
				return "makes calls for a time"
			}
			return ""
		}}
	}
	for cases, want := range map[string]string{
		"- {title: a, kind: unary, stack: grpc-java, duration: 1s}":                                   "zeros",
		"- {title: a, kind: unary, stack: grpc-go, server: grpc-java, duration: 1s}":                  "zeros",
		"- {title: a, kind: unary, stack: grpc-java, duration: 1s, payload: zeros}":                   "zeros",
		"- {title: a, kind: unary, stack: grpc-java, duration: 1s, payload: json}":                    "has no payload json",
		"- {title: a, kind: unary, stack: grpc-go, server: grpc-java, duration: 1s, payload: random}": "has no payload random",
		"- {title: a, kind: unary, stack: grpc-java, calls: 3}":                                       "makes calls for a time",
	} {
		specs, p, err := inOrder(t, only, cases)
		if want != "zeros" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", cases, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range specs {
			if s.Payload != want {
				t.Errorf("%s: payload %s", cases, s.Payload)
			}
		}
		noted := slices.Contains(p.Notes, Note{NoteForeignWorker, "Take care."})
		if client := strings.Contains(cases, "stack: grpc-java"); noted != client {
			t.Errorf("%s: notes %v", cases, p.Notes)
		}
	}
}

// A client may need an option of its servers: it is set where no case does, and a server without it is left out.
func TestServersGetTheOptionsThatAClientNeeds(t *testing.T) {
	t.Parallel()
	b := &builder{config: Config{Hosts: map[string]Host{"page": {ServerOptions: map[string]string{"allow_origin": "*"}}}}}
	able := stack.Info{Name: "able", Options: []stack.Option{{Name: "allow_origin", Server: true}}}
	clientOnly := stack.Info{Name: "unable", Options: []stack.Option{{Name: "allow_origin", Client: true}}}
	given := map[string]string{"allow_origin": "http://here", "window": "1"}
	for _, test := range []struct {
		client  string
		server  stack.Info
		options map[string]string
		want    map[string]string
		lacks   string
	}{
		{"page", able, nil, map[string]string{"allow_origin": "*"}, ""},
		{"page", able, given, given, ""},
		{"other", able, nil, nil, ""},
		{"page", clientOnly, nil, nil, "unable has no option allow_origin, which page needs"},
	} {
		spec := Spec{Stack: test.client, Server: test.server.Name, Options: test.options}
		lacks := b.suitServer(pair{stack.Info{Name: test.client}, test.server}, &spec)
		if lacks.String() != test.lacks || !maps.Equal(spec.Options, test.want) {
			t.Errorf("%s against %s with %v: %v, lacks %q", test.client, test.server.Name, test.options, spec.Options, lacks)
		}
	}
	coding := Spec{Stack: "page"}
	if lacks := b.suitServer(pair{stack.Info{Name: "page"}, stack.Info{}}, &coding); lacks != (lack{}) || coding.Options != nil {
		t.Errorf("coding, which has no server, gets %v and lacks %q", coding.Options, lacks)
	}
}

// Stacks of different programs can't share a process.
func TestInprocPairsStacksOfOneWorker(t *testing.T) {
	t.Parallel()
	stacks, config := foreign()
	for i := range stacks {
		stacks[i].Networks = append(slices.Clone(stacks[i].Networks), stack.NetworkInproc)
	}
	s := parse(t, "x", "- {title: a, kind: unary, stack: [grpc-java, grpc-go], server: [grpc-java, grpc-go], network: inproc, "+
		"trials: 1}")
	p, err := New([]scenario.Scenario{s}, stacks, config)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Trials) != 2 || p.Trials[0].Spec.Stack != p.Trials[0].Spec.Server {
		t.Errorf("planned %q", lines(p))
	}
	want := []string{
		"grpc-java against grpc-go is left out of 1 point: they run in different programs, and inproc is one process.",
		"grpc-go against grpc-java is left out of 1 point: they run in different programs, and inproc is one process.",
	}
	if diff := cmp.Diff(want, texts(p.Notes)); diff != "" {
		t.Error(diff)
	}
}

// A proxy leaves out what it does not pass on, needs no TLS of the server, and is none of the floor's.
func TestAProxyIsBetweenItsPairs(t *testing.T) {
	t.Parallel()
	stacks, config := foreign()
	config.Floor = true
	s := parse(t, "x", `
- title: a
  kind: unary
  stack: grpc-go
  server: {name: mine, command: './s {port}'}
  security: tls
  proxy: [none, grpc-go, {name: bare, command: './p {port} {upstream}'}]
  trials: 1`)
	p, err := New([]scenario.Scenario{s}, stacks, config)
	if err != nil {
		t.Fatal(err)
	}
	got := lines(p)
	slices.Sort(got)
	want := []string{
		"1 grpc-go unary 1000 B 1x1 closed server mine tls through grpc-go | x: a",
		"1 tcp unary 1000 B 1x1 closed tls (floor) | x: a",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	notes := strings.Join(texts(p.Notes), "\n")
	for _, want := range []string{
		"grpc-go against mine is left out of 1 point: mine has no security tls.",
		"grpc-go against mine is left out of 1 point: the proxy bare has no TLS: neither its command nor its configuration has a " +
			"place for {cert} and {key}.",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
}
