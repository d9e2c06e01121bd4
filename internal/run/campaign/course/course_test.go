package course_test

import (
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/run/campaign/course"
)

func begun(end time.Time) course.Decision {
	return course.Decision{End: end, Course: &capacity.Course{
		Base: plan.Trial{ID: "x", Spec: plan.Spec{Stack: "grpc-go", Server: "grpc-go", Kind: "unary", Connections: 1, InFlight: 256,
			Load: plan.LoadPoisson, OfferedPerSec: 1, DurationNs: 10e9}},
		Trials: 1, Search: 2 * time.Second,
	}}
}

func TestTrialsAreNumberedAsInTheirFile(t *testing.T) {
	t.Parallel()
	batch := begun(time.Unix(3600, 0)).Next(time.Unix(0, 0), 4)
	if len(batch.Trials) != 1 || batch.Trials[0].ID != "x-5" || batch.Trials[0].Repetition != 5 ||
		batch.Trials[0].Cases[0].Scenario != capacity.ScenarioProbe || batch.Label != capacity.ScenarioProbe {
		t.Errorf("%+v", batch)
	}
}

func TestNothingBeginsThatTheTimeDoesNotSufficeFor(t *testing.T) {
	t.Parallel()
	d := begun(time.Unix(3600, 0))
	if batch := d.Next(d.End.Add(-time.Second), 1); len(batch.Trials) != 0 || d.Ending != capacity.TimeUp {
		t.Errorf("%v, ending %q", batch, d.Ending)
	}
}
