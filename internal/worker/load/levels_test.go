package load

import (
	"slices"
	"testing"
	"time"
)

// A line reaches a level where that is the nearest whole number; a step has it at once.
func TestLevelsAreTheNearestToTheStages(t *testing.T) {
	t.Parallel()
	type change struct {
		at    time.Duration
		level int
	}
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		stages []Stage
		want   []change
	}{
		"one level": {[]Stage{{5, 5, time.Second}}, nil},
		"steps": {
			[]Stage{{2, 2, time.Second}, {6, 6, time.Second}, {1, 1, time.Second}},
			[]change{{1000 * ms, 6}, {2000 * ms, 1}},
		},
		"a line up":   {[]Stage{{1, 4, 3 * time.Second}}, []change{{500 * ms, 2}, {1500 * ms, 3}, {2500 * ms, 4}}},
		"a line down": {[]Stage{{2, 0, 4 * time.Second}}, []change{{1000 * ms, 1}, {3000 * ms, 0}}},
		"a jump between lines": {
			[]Stage{{0, 1, time.Second}, {5, 4, time.Second}},
			[]change{{500 * ms, 1}, {1000 * ms, 5}, {1500 * ms, 4}},
		},
		"between whole numbers": {[]Stage{{1.75, 3.75, 2 * time.Second}}, []change{{750 * ms, 3}, {1750 * ms, 4}}},
		"less than a call":      {[]Stage{{0, 0.4, time.Second}}, nil},
	} {
		var got []change
		for at, level := range levels(c.stages) {
			got = append(got, change{at, level})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
