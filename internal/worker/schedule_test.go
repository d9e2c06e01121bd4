package worker

import (
	"slices"
	"testing"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
)

func TestEdgesAreAtLeastAnIntervalApart(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for name, c := range map[string]struct{ lengths, want []time.Duration }{
		"one stage":    {[]time.Duration{time.Second}, nil},
		"long stages":  {[]time.Duration{time.Second, 150 * ms, time.Second}, []time.Duration{1000 * ms, 1150 * ms}},
		"short stages": {[]time.Duration{40 * ms, 40 * ms, 40 * ms, 40 * ms, time.Second}, []time.Duration{120 * ms}},
	} {
		var stages []load.Stage
		for _, length := range c.lengths {
			stages = append(stages, load.Stage{Length: length})
		}
		if got := edges(stages); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestAStageMayHaveLessThanACallASecond(t *testing.T) {
	t.Parallel()
	var s load.Schedule
	s.PerSec = 1
	err := stagesOf(&control.Load{Stages: []*control.Stage{{From: 0, To: 0.5, LengthNs: 1}}}, &s, 1)
	if err != nil || len(s.Stages) != 1 || s.Stages[0].To != 0.5 {
		t.Errorf("%v, %v, want a stage up to 0.5", s.Stages, err)
	}
}
