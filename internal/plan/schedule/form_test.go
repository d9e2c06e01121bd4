package schedule_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan/schedule"
)

func TestRampsAreStagesOneAfterAnother(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	for text, want := range map[string][]schedule.Stage{
		"line:1..100@60s":      {{From: 1, To: 100, LengthNs: 60 * second}},
		"hold:50/s@1m":         {{From: 50, To: 50, LengthNs: 60 * second}},
		"step:3..1/1@5":        {{3, 3, 5 * second}, {2, 2, 5 * second}, {1, 1, 5 * second}},
		"hold:5@2s + hold:9@1": {{5, 5, 2 * second}, {9, 9, second}},
		"line:0..200/s@2s+hold:200/s@500ms+step:100..50/50/s@1s": {
			{0, 100, second}, {100, 200, second}, {200, 200, second / 2}, {100, 100, second}, {50, 50, second},
		},
		// 27 s of lines, in at most 19 pieces beside the hold: of two seconds or a little more.
		"line:0..90@9s+hold:90@1m+line:90..0@18s": append(append(
			line(0, 90, 9, 4), schedule.Stage{From: 90, To: 90, LengthNs: 60 * second}), line(90, 0, 18, 9)...),
		"line:9..1@1500ms+hold:1@1s": {{9, 1, 3 * second / 2}, {1, 1, second}},
	} {
		s, err := schedule.Parse(text)
		if err != nil || s.Name != strings.ReplaceAll(text, " ", "") || !slices.Equal(s.Stages, want) {
			t.Errorf("%s: got %v, %v, want %v", text, s, err, want)
		}
	}
}

// line is a line of seconds in n pieces.
func line(from, to float64, seconds, n int) []schedule.Stage {
	all := make([]schedule.Stage, n)
	for i := range all {
		at := func(i int) (float64, int64) {
			return from + (to-from)*float64(i)/float64(n), int64(seconds) * int64(time.Second) * int64(i) / int64(n)
		}
		begins, began := at(i)
		ends, ended := at(i + 1)
		all[i] = schedule.Stage{From: begins, To: ends, LengthNs: ended - began}
	}
	return all
}

// Whatever the parts are, the pieces are the same load, and a trial keeps a window for each.
func TestPiecesAreTheSameLoad(t *testing.T) {
	t.Parallel()
	for _, parts := range [][]string{
		{"line:0..1000/s@30s", "hold:1000/s@2m", "line:1000..0/s@30s"},
		{"line:7..1000/s@23h", "line:1000..7/s@59m"},
		{"hold:1/s@1s", "line:1..2/s@1ms"},
		{"line:753.7..0/s@3s", "hold:1/s@1s"}, {"line:0..753.7/s@3s", "hold:10000000/s@1s", "line:10000000..0.1/s@19s"},
		slices.Repeat([]string{"line:1..9/s@3s"}, 19), slices.Repeat([]string{"line:1..9/s@3s"}, 20),
	} {
		whole, err := schedule.Parse(strings.Join(parts, "+"))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(whole.Stages); n > schedule.WindowsKept || n < len(parts) {
			t.Errorf("%v: %d pieces of %d parts", parts, n, len(parts))
		}
		length, area := time.Duration(0), 0.0
		for _, part := range parts {
			alone, err := schedule.Parse(part)
			if err != nil {
				t.Fatal(err)
			}
			length, area = length+alone.Length(), area+alone.Area(alone.Length())
			if got := whole.Area(length); math.Abs(got-area) > 1e-6*area {
				t.Errorf("%v: %v calls are due by %v, want %v", parts, got, length, area)
			}
		}
		if err := whole.Check(schedule.RateMax); err != nil {
			t.Errorf("%v: %v", parts, err)
		}
		if whole.Length() != length {
			t.Errorf("%v: takes %v, want %v", parts, whole.Length(), length)
		}
	}
}

// A reader sees the first and the last parts of a long ramp. Two that differ in between are not called the same.
func TestALongRampIsShortened(t *testing.T) {
	t.Parallel()
	ramp := func(n int, last string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf("hold:%d@1s", i+1)
		}
		parts[n-4] = last
		return strings.Join(parts, "+")
	}
	for _, test := range []struct{ whole, want string }{
		{"hold:1@1s", "hold:1@1s"},
		{ramp(8, "hold:5@1s"), ramp(8, "hold:5@1s")},
		{ramp(9, "hold:6@1s"), "hold:1@1s+hold:2@1s+hold:3@1s+… 3 more (edeb09eb) …+hold:7@1s+hold:8@1s+hold:9@1s"},
		{ramp(4000, "hold:7@1s"), "hold:1@1s+hold:2@1s+hold:3@1s+… 3,994 more (3148611e) …+hold:3998@1s+hold:3999@1s+hold:4000@1s"},
		{ramp(4000, "hold:8@1s"), "hold:1@1s+hold:2@1s+hold:3@1s+… 3,994 more (6a4e1aa5) …+hold:3998@1s+hold:3999@1s+hold:4000@1s"},
	} {
		s, err := schedule.Parse(test.whole)
		if err != nil || s.Name != test.whole || s.String() != test.want {
			t.Errorf("%v, %v, want %s", s, err, test.want)
		}
	}
	if got := (*schedule.Schedule)(nil).String(); got != "" {
		t.Errorf("%q without a ramp", got)
	}
}

func TestRampsThatCanNotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"up":                         "or several of these joined by +",
		"hold:5@1s+":                 "one of its parts is empty",
		"hold:5@1s,hold:6@1s":        `"1s,hold:6@1s" is not a duration`,
		"line:0..9/s@1s+hold:9@1s":   `"hold:9@1s": its parts are all calls in flight or, with /s, all calls per second`,
		"hold:9@1s+hold:1.5/s@1s":    `"hold:1.5/s@1s": its parts are all calls in flight or, with /s, all calls per second`,
		"hold:9@1s+hold:x/s@1s":      `"hold:x/s@1s": a ramp is step:`,
		"hold:9@1s+step:1..5/0@1s":   `"step:1..5/0@1s": steps of 0 go nowhere`,
		"hold:9@13h+hold:9@12h":      "it takes 25h0m0s, above the limit of 24h0m0s",
		"line:1..9@2000000h":         "above the limit of 24h0m0s",
		"hold:1.5@1s":                `"1.5" is not a whole number`,
		"hold:9@1s+step:1..9/1@soon": `"step:1..9/1@soon": "soon" is not a duration`,
		strings.TrimSuffix(strings.Repeat("step:1..9000/1@1ms+", 10_000), "+"): "it has 18000 steps; it needs 1 to 10000",
	} {
		if s, err := schedule.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: got %v, %v, want %s", text, s, err, want)
		}
	}
}
