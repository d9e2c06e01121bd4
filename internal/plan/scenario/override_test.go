package scenario

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/point"
)

const mixed = `
name: x
question: y
defaults: {duration: 2s, shape: 1x2, response_bytes: 30}
cases:
- {title: first, kind: first_call, calls: 50}
- {title: echo, kind: unary, shape: [1x3, 1x4], request_bytes: 7}
- {title: down, kind: download}
- {title: down both, kind: download, request_bytes: 8, response_bytes: 9}
- {title: counted, kind: stream, calls: 60}
`

func mixedScenario(t *testing.T) Scenario {
	t.Helper()
	return parse(t, mixed)
}

// view is what the layers of mixed are about.
type view struct {
	Request, Response []int
	Shapes            []string
	Duration          time.Duration
	Calls             int64
}

func views(s Scenario) []view {
	var views []view
	for _, c := range s.Cases {
		first := c.first()
		views = append(views, view{
			requestSizes(c), listed(c, "response_bytes", func(p point.Asked) int { return p.ResponseBytes }),
			listed(c, "shape", func(p point.Asked) string { return p.Shape() }), time.Duration(first.DurationNs), first.Calls,
		})
	}
	return views
}

func TestTheNearerLayerWins(t *testing.T) {
	t.Parallel()
	two, own := []string{"1x2"}, []string{"1x3", "1x4"}
	zero, thirty := []int{0}, []int{30}
	for _, test := range []struct {
		name string
		set  []Override
		want []view
	}{
		{"none", nil, []view{
			{zero, zero, two, 0, 50},
			{[]int{7}, thirty, own, 2 * time.Second, 0},
			{zero, thirty, two, 2 * time.Second, 0},
			{[]int{8}, []int{9}, two, 2 * time.Second, 0},
			{[]int{1000}, thirty, two, 0, 60},
		}},
		{"sizes of messages do not leak into the lone request of a download",
			[]Override{{Key: "request_bytes", Value: "[1, 2]"}}, []view{
				{zero, zero, two, 0, 50},
				{[]int{1, 2}, thirty, own, 2 * time.Second, 0},
				{zero, thirty, two, 2 * time.Second, 0},
				{[]int{1, 2}, []int{9}, two, 2 * time.Second, 0},
				{[]int{1, 2}, thirty, two, 0, 60},
			}},
		{"duration replaces calls where a call runs by time", []Override{{Key: "duration", Value: "3s"}}, []view{
			{zero, zero, two, 0, 50},
			{[]int{7}, thirty, own, 3 * time.Second, 0},
			{zero, thirty, two, 3 * time.Second, 0},
			{[]int{8}, []int{9}, two, 3 * time.Second, 0},
			{[]int{1000}, thirty, two, 3 * time.Second, 0},
		}},
		{"calls replace duration", []Override{{Key: "calls", Value: "4"}, {Key: "shape", Value: "5x6"}}, []view{
			{zero, zero, []string{"5x6"}, 0, 4},
			{[]int{7}, thirty, []string{"5x6"}, 0, 4},
			{zero, thirty, []string{"5x6"}, 0, 4},
			{[]int{8}, []int{9}, []string{"5x6"}, 0, 4},
			{[]int{1000}, thirty, []string{"5x6"}, 0, 4},
		}},
	} {
		applied, err := Apply([]Scenario{mixedScenario(t)}, test.set)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, views(applied[0])); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

func TestApplyLeavesItsArgumentAlone(t *testing.T) {
	t.Parallel()
	before := []Scenario{mixedScenario(t)}
	if _, err := Apply(before, []Override{{Key: "shape", Value: "9x9"}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(views(mixedScenario(t)), views(before[0])); diff != "" {
		t.Error(diff)
	}
}

func TestAnOverrideThatOneOfSeveralScenariosMayHaveIsGood(t *testing.T) {
	t.Parallel()
	unary := parse(t, inCase("kind: unary"))
	stream := parse(t, inCase("kind: stream"))
	applied, err := Apply([]Scenario{unary, stream}, []Override{{Key: "messages", Value: "5"}})
	if err != nil {
		t.Fatal(err)
	}
	if first, second := applied[0].Cases[0].first(), applied[1].Cases[0].first(); first.Messages != 0 || second.Messages != 5 {
		t.Errorf("got %d and %d, want 0 and 5", first.Messages, second.Messages)
	}
}

func TestALoneSizeCanBeSetWhereTheCaseHasIt(t *testing.T) {
	t.Parallel()
	download := parse(t, inCase("kind: download\nrequest_bytes: 1\nresponse_bytes: 2"))
	applied, err := Apply([]Scenario{download}, []Override{{Key: "request_bytes", Value: "3"}})
	if err != nil {
		t.Fatal(err)
	}
	if p := applied[0].Cases[0].first(); p.RequestBytes != 3 || p.ResponseBytes != 2 {
		t.Errorf("got %d and %d, want 3 and 2", p.RequestBytes, p.ResponseBytes)
	}
}

func TestABadOverrideIsOneSentenceWithItsFlag(t *testing.T) {
	t.Parallel()
	set := func(key, value string) []Override { return []Override{{Key: key, Value: value}} }
	for _, test := range []struct {
		keys string
		set  []Override
		want string
	}{
		{"kind: unary", set("shpe", "1x1"), `--set shpe=1x1: unknown key "shpe"; did you mean "shape"?`},
		{"kind: unary", set("seed", "3"), "--set seed=3: seed belongs to the plan, not to a case; use --seed 3"},
		{"kind: unary", set("title", "b"), "--set title=b: title: each case has its own, so --set can't change it"},
		{"kind: unary", set("shape", "[1x1, 0x1]"),
			"--set shape=[1x1, 0x1]: shape: 0x1: connections: 0 is below the minimum of 1"},
		{"kind: unary", set("shape", "[1x1"), `--set shape=[1x1: not YAML: sequence end token ']' not found`},
		{"kind: unary", set("shape", ""), "--set shape=: shape: nothing is given; expected one value"},
		{"kind: unary", set("duration", "[1s, 2s]"),
			"--set duration=[1s, 2s]: duration: this key takes one value, not a list"},
		{"kind: unary", set("messages", "5"),
			"--set messages=5: messages: no case supports it; only cases of kind stream, burst, upload, download or both_ways support it"},
		{"kind: connect", set("duration", "5s"), "--set duration=5s: duration: no case supports it; only cases " +
			"of kind unary, stream, ping_pong, burst, upload, download, both_ways, encode or decode support it"},
		{"kind: upload", set("response_bytes", "5"), "--set response_bytes=5: response_bytes: no case supports " +
			"it; cases of kind unary, stream, ping_pong, burst, download or both_ways support it, and those of kind upload " +
			"that have the key themselves"},
		{"kind: unary", append(set("duration", "5s"), set("duration", "6s")...),
			`--set duration=6s: duration is given twice`},
		{"kind: unary", append(set("duration", "5s"), set("calls", "6")...),
			"--set calls=6: calls and duration are mutually exclusive; give only one"},
		{"kind: ping_pong\nshape: 1x8\nstreams: 8", set("shape", "1x4"),
			"my.yaml:7:12: streams: 8 is above the limit of 4, the calls in flight of shape 1x4"},
		{"kind: stream\nmessages: 5", set("kind", "unary"),
			"my.yaml:6:3: messages: only cases of kind stream, burst, upload, download or both_ways support it, not unary"},
		{"kind: unary", []Override{{Key: "trials", Value: "0", Flag: "--trials 0"}},
			"--trials 0: trials: 0 is below the minimum of 1"},
	} {
		_, err := Apply([]Scenario{parse(t, inCase(test.keys))}, test.set)
		checkError(t, err, test.want)
	}
}

func TestSetIsKeyAndValue(t *testing.T) {
	t.Parallel()
	got, err := Set("options={a: b=c}")
	if want := (Override{Key: "options", Value: "{a: b=c}"}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range []string{"", "shape", "=1x1"} {
		_, err := Set(bad)
		checkError(t, err, "--set "+bad+": the argument is not KEY=VALUE")
	}
}

func TestShorthandsAreOverrides(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		flag, value string
		want        Override
	}{
		{"duration", "5s", Override{"duration", "5s", "--duration 5s", nil}},
		{"warmup", "0s", Override{"warmup", "0s", "--warmup 0s", nil}},
		{"trials", "7", Override{"trials", "7", "--trials 7", nil}},
		{"stacks", "a, b", Override{"stack", `["a", "b"]`, "--stacks a, b", nil}},
		{"jvm-options", "-Da='b': c", Override{"jvm_options", "'-Da=''b'': c'", "--jvm-options -Da='b': c", nil}},
	} {
		got, err := Shorthand(test.flag, test.value)
		if err != nil || got != test.want {
			t.Errorf("--%s %s: got %+v, %v", test.flag, test.value, got, err)
		}
	}
	_, err := Shorthand("seed", "1")
	checkError(t, err, "--seed 1: --seed is not a shorthand for --set")
}

func TestStacksShorthandNamesEveryStack(t *testing.T) {
	t.Parallel()
	apply := func(value string) ([]Scenario, error) {
		o, err := Shorthand("stacks", value)
		if err != nil {
			t.Fatal(err)
		}
		return Apply([]Scenario{parse(t, inCase("kind: unary"))}, []Override{o})
	}
	applied, err := apply("grpc-go,tcp")
	if err != nil {
		t.Fatal(err)
	}
	stacks := listed(applied[0].Cases[0], "stack", func(p point.Asked) string { return p.Stack })
	if diff := cmp.Diff([]string{"grpc-go", "tcp"}, stacks); diff != "" {
		t.Error(diff)
	}
	_, err = apply("grpc-go,")
	checkError(t, err, `--stacks grpc-go,: stack: "" is not a name`)
}
