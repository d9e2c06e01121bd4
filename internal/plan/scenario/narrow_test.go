package scenario

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan/point"
)

const wide = `
name: x
question: y
defaults: {duration: 2s, kind: ping_pong}
cases:
- {title: 1 to 4 streams, shape: [1x1, 1x4]}
- {title: "4 connections, 1 and 4 servers", shape: 4x1, servers: [1, 4]}
- {title: 1 kB echo, kind: unary, request_bytes: 1kB, shape: 1x1}
- {title: a stream, kind: stream, messages: 5}
`

func narrowed(t *testing.T, set ...Override) Scenario {
	t.Helper()
	applied, err := Apply([]Scenario{parse(t, wide)}, set)
	if err != nil {
		t.Fatal(err)
	}
	return applied[0]
}

func titlesOf(s Scenario) []string {
	var titles []string
	for _, c := range s.Cases {
		titles = append(titles, c.Title)
	}
	return titles
}

func TestATitleIsMadeAnewWhereItWasWrittenForOtherValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		key, value string
		want       []string
	}{
		{"duration", "3s", []string{"1 to 4 streams", "4 connections, 1 and 4 servers", "1 kB echo", "a stream"}},
		{"shape", "1x1", []string{"ping_pong: shape 1x1", "ping_pong: shape 1x1; servers 1", "1 kB echo", "a stream"}},
		{"shape", "[1x4, 1x1]", []string{"1 to 4 streams", "ping_pong: shape 1x4, 1x1; servers 1", "1 kB echo", "a stream"}},
		{"shape", "1x3", []string{"ping_pong: shape 1x3", "ping_pong: shape 1x3; servers 1", "1 kB echo", "a stream"}},
		{"request_bytes", "10", []string{
			"1 to 4 streams", "4 connections, 1 and 4 servers", "unary: request bytes 10; shape 1x1", "a stream",
		}},
		{"messages", "6", []string{"1 to 4 streams", "4 connections, 1 and 4 servers", "1 kB echo", "a stream"}},
		{"kind", "unary", []string{"unary: shape 1x1, 1x4", "unary: shape 4x1; servers 1, 4", "1 kB echo"}},
	} {
		if got := titlesOf(narrowed(t, Override{Key: test.key, Value: test.value})); !slices.Equal(got, test.want) {
			t.Errorf("--set %s=%s: %q, want %q", test.key, test.value, got, test.want)
		}
	}
}

func TestWhatAKeyLeavesNoRoomForIsLeftOutAndSaid(t *testing.T) {
	t.Parallel()
	s := narrowed(t, Override{Key: "shape", Value: "[1x2, 4x2]"})
	if got := len(s.Cases[1].Points()); got != 3 {
		t.Errorf("%d points, want 3: one server at 1x2, both at 4x2", got)
	}
	want := []string{`The case "4 connections, 1 and 4 servers" is without 1 of its 4 points: servers: 4 is more than the number ` +
		`of connections of shape 1x2, so some servers would have none.`}
	if !slices.Equal(s.LeftOut, want) {
		t.Errorf("left out %q, want %q", s.LeftOut, want)
	}
	s = narrowed(t, Override{Key: "kind", Value: "unary"})
	const because = `The case "a stream" is left out as unary: messages: only cases of kind`
	if len(s.LeftOut) != 1 || !strings.HasPrefix(s.LeftOut[0], because) {
		t.Errorf("left out %q", s.LeftOut)
	}
	both := []Override{{Key: "shape", Value: "1x1"}, {Key: "servers", Value: "9"}}
	if _, err := Apply([]Scenario{parse(t, wide)}, both); err == nil {
		t.Error("two keys of the command line that contradict each other are no error")
	}
}

func TestChosenCasesStayChosen(t *testing.T) {
	t.Parallel()
	choice, err := point.ChoiceOf("servers=4", "")
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := Choose([]Scenario{narrowed(t)}, choice)
	if err != nil {
		t.Fatal(err)
	}
	if got := titlesOf(chosen[0]); !slices.Equal(got, []string{"4 connections, 1 and 4 servers"}) {
		t.Errorf("chosen %q", got)
	}
	var taken int
	for _, p := range chosen[0].Cases[0].Points() {
		if chosen[0].Cases[0].Takes(p.Spec) {
			taken++
		}
	}
	if taken != 1 {
		t.Errorf("%d points, want 1", taken)
	}
	if choice, err = point.ChoiceOf("nowhere", ""); err != nil {
		t.Fatal(err)
	}
	_, err = Choose([]Scenario{narrowed(t)}, choice)
	checkError(t, err, `--case 'nowhere': no case matches; the titles are "1 to 4 streams", "4 connections, 1 and 4 servers", `+
		`"1 kB echo", "a stream"`)
}

// --case finds a case by the title in its file, although other values make it a new one.
func TestACaseIsFoundByTheTitleInItsFile(t *testing.T) {
	t.Parallel()
	choice, err := point.ChoiceOf("1 to 4 streams", "")
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := Choose([]Scenario{narrowed(t, Override{Key: "shape", Value: "1x1"})}, choice)
	if err != nil {
		t.Fatal(err)
	}
	c := chosen[0].Cases[0]
	if c.Title == "1 to 4 streams" || !c.Takes(c.Points()[0].Spec) {
		t.Errorf("the case %q is not found", c.Title)
	}
}
