package calibrate

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/stack"
)

// While a disturbance runs, calls take twice as long: of trials that vary by 2% its effect is found to 3%, and that of none
// is none.
func TestTheEffectOfADisturbanceIsMeasuredWithinBlocks(t *testing.T) {
	t.Parallel()
	running, begun := false, 0
	m := &machine{t: t, random: rand.New(rand.NewPCG(4, 2)), variation: 0.02, now: time.Unix(0, 0)}
	loads, steps := map[string]int{}, 0
	report, err := Disturb(t.Context(), Config{
		Stack: stack.Info{Name: "tcp", Protocol: stack.ProtocolTCP, Calls: true, Serves: true}, Effort: Disturbed(), Seed: 1,
		Now: func() time.Time { return m.now },
		Begun: func(i, n int, what string) {
			if i != steps || n != 20 || what != "1 disturbance in random order" {
				t.Errorf("step %d of %d: %s", i, n, what)
			}
			steps++
		},
		Drive: func(ctx context.Context, c driver.Config) (int, error) {
			trial := &c.Trials[0]
			loads[trial.Spec.Load]++
			if running {
				trial.Spec.Options = map[string]string{"script": "fixed 250us"} // and 50 µs of the wire: twice 100 and 50
			}
			return m.drive(ctx, c)
		},
	}, []Disturbance{{Name: "double", Is: "a twin", Begin: func() (func(), error) {
		running, begun = true, begun+1
		return func() { running = false }, nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Effects) != 4 || begun != 40 || running || loads[plan.LoadClosed] != 60 || loads[plan.LoadConstant] != 60 {
		t.Fatalf("%d effects; begun %d times, still running %v; loads %v", len(report.Effects), begun, running, loads)
	}
	for _, e := range report.Effects {
		want := map[string]float64{"none": 1, "a twin": 2}[e.Is]
		if e.Blocks != 20 || math.Abs(e.P50.Median/want-1) > 0.03 || e.P50.Lo > want || e.P50.Hi < want ||
			math.Abs(e.P99.Median/want-1) > 0.03 {
			t.Errorf("%s, %s: %+v", e.Load, e.Is, e)
		}
	}
	var out bytes.Buffer
	if err := report.Write(&out); err != nil || !strings.Contains(out.String(), "a twin") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestADisturbanceThatDoesNotBeginEndsTheMeasurement(t *testing.T) {
	t.Parallel()
	m := &machine{t: t, random: rand.New(rand.NewPCG(4, 2)), now: time.Unix(0, 0)}
	gone := errors.New("no such program")
	_, err := Disturb(t.Context(), Config{
		Stack: stack.Info{Name: "tcp", Calls: true, Serves: true}, Effort: Disturbed(), Drive: m.drive,
		Now: func() time.Time { return m.now },
	}, []Disturbance{{Name: "x", Begin: func() (func(), error) { return nil, gone }}})
	if !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}
