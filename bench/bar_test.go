package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"rpcbench/internal/results/stat"
)

func TestALineTellsAFigureItsLimitAndTheVerdict(t *testing.T) {
	t.Parallel()
	s := stat.Summarize([]float64{1, 2, 3, 4, 5, 26})
	for _, c := range []struct {
		line line
		want string
	}{
		{atMost("some", s, 3.5, "µs"), "some | median 3.5 µs, 95% 1.0–26.0, n 6 | ≤ 3.5 µs | PASS"},
		{atMost("some", s, 3.49, "µs"), "some | median 3.5 µs, 95% 1.0–26.0, n 6 | ≤ 3.49 µs | MISS"},
		{line{name: "some", measured: figure(stat.Summarize([]float64{2, 1, 4}), 2, "")}, "some | median 2.00, min–max 1.00–4.00, n 3"},
	} {
		if got := regexp.MustCompile(" {2,}").ReplaceAllString(c.line.String(), " | "); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

func TestARateThatIsKeptNowAndThenIsNotKept(t *testing.T) {
	t.Parallel()
	kept := stat.Summary{Median: 50_000, Lo: 49_951, Hi: 50_049}
	if !rateLine(kept).pass {
		t.Error("0.098% off is missed")
	}
	kept.Lo = 49_949
	if rateLine(kept).pass {
		t.Error("0.102% off at one end passes")
	}
}

func TestTheFloorPassesByRatioOrByDifference(t *testing.T) {
	t.Parallel()
	for want, pairs := range map[bool][][]pair{
		true:  {{{21, 20}}, {{8.9, 8}}, {{104, 100}}},
		false: {{{21.1, 20}}, {{106, 100}}},
	} {
		for _, p := range pairs {
			if got := floorLines("unary", p)[0].pass; got != want {
				t.Errorf("stack and loop %v: pass is %t", p[0], got)
			}
		}
	}
}

func TestTheContestHoldsBothRatiosToTheirBars(t *testing.T) {
	t.Parallel()
	c := contest{pairs: []pair{{97, 100}}, control: []pair{{101, 100}, {98, 100}}}
	if lines := c.lines("harness", ""); !lines[0].pass || !lines[1].pass {
		t.Errorf("%v: want both to pass", lines)
	}
	c = contest{pairs: []pair{{96.9, 100}}, control: []pair{{101, 100}, {102, 100}}}
	if lines := c.lines("harness", ""); lines[0].pass || lines[1].pass {
		t.Errorf("%v: want both to miss", lines)
	}
	for _, l := range c.explained() {
		if strings.Contains(l.String(), "MISS") || strings.Contains(l.String(), "PASS") {
			t.Errorf("%q: a contest that is replaced has no verdict", l)
		}
	}
}

func TestFlagsThatCanNotBeObeyedAreNamed(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"-duration 1500ms": "whole seconds",
		"-duration 0s":     "whole seconds",
		"-pairs 0":         "-pairs 0",
		"-run (":           `-run "("`,
		"record":           `"record" is no flag`,
		"-run nothing":     "matches no bar",
	} {
		err := run(context.Background(), strings.Fields(args), io.Discard, io.Discard)
		if err == nil || errors.Is(err, errMissed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestListNamesTheChosenBarsOnly(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(context.Background(), []string{"-list", "-run", "^(record|rate)$"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "\n"); got != 2 || !strings.HasPrefix(out.String(), "record ") {
		t.Errorf("%s\nwant record and rate", &out)
	}
}
