package fleet

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/worker/control"
)

// A time that is no warm-up's would make a plan of centuries, and results that nobody can read.
func TestAHelloOfWhichNoPlanCanBeMadeIsRefused(t *testing.T) {
	t.Parallel()
	one := []*control.StackInfo{{Name: "theirs"}}
	for name, c := range map[string]struct {
		hello *control.Hello
		want  string
	}{
		"good":                {&control.Hello{Stacks: one, LeastWarmupNs: int64(time.Hour)}, ""},
		"a negative warm-up":  {&control.Hello{Stacks: one, LeastWarmupNs: -1}, "least_warmup_ns -1, which is not between"},
		"a warm-up for ever":  {&control.Hello{Stacks: one, LeastWarmupNs: 1<<63 - 1}, "which is not between 0 and 1h0m0s"},
		"negative patience":   {&control.Hello{Stacks: one, CompilerPatienceNs: -1}, "compiler_patience_ns -1, which is"},
		"patience for ever":   {&control.Hello{Stacks: one, CompilerPatienceNs: 1<<63 - 1}, "which is not between"},
		"thousands of stacks": {&control.Hello{Stacks: make([]*control.StackInfo, 1001)}, "hosts 1001 stacks, more than 1000"},
	} {
		_, err := offersOf(manifest.Worker{Stacks: []string{"theirs"}}, c.hello)
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || len(err.Error()) > 200) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
		err = new(build).take(c.hello)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, of a program that the user named: got %v, want %s", name, err, c.want)
		}
	}
}

// What is added to Abilities has to reach the plan wherever a worker comes from.
func TestEveryAbilityReachesThePlan(t *testing.T) {
	t.Parallel()
	hello := &control.Hello{
		Stacks: []*control.StackInfo{{Name: "theirs"}}, LeastWarmupNs: 3e9, CompilerPatienceNs: 40e9, Stages: true, Ports: true,
		IdleStreams: true, Mixes: true, Reconnects: true,
	}
	w := manifest.Worker{Name: "other", Stacks: []string{"theirs"}}
	offers, err := offersOf(w, hello)
	if err != nil {
		t.Fatal(err)
	}
	b := &build{}
	if err := b.take(hello); err != nil || len(b.infos) != 1 || b.infos[0].Name != "theirs" || !slices.Equal(b.Stacks, w.Stacks) {
		t.Fatalf("%+v, %v", b, err)
	}
	f := &Fleet{
		workers: []manifest.Worker{w}, qps: qps.New(nil),
		heard: map[string]answer{w.Name: {hello: hello, offers: offers}}, builds: map[string]*build{"./build": b},
	}
	config, err := f.Config(plan.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for of, got := range map[string]plan.Abilities{
		"a worker": config.Hosts["theirs"].Abilities, "a program": config.Binaries["./build"].Abilities,
	} {
		if got.LeastWarmup != 3*time.Second || got.CompilerPatience != 40*time.Second {
			t.Errorf("%s: %+v, want a warm-up of 3 s and 40 s of patience", of, got)
		}
		for field, value := range reflect.ValueOf(got).Fields() {
			if value.IsZero() {
				t.Errorf("%s: %s is missing", of, field.Name)
			}
		}
	}
}

// A manifest may ask for a longer warm-up than the worker itself.
func TestTheLongerLeastWarmupCounts(t *testing.T) {
	t.Parallel()
	for manifests, want := range map[time.Duration]time.Duration{0: 3 * time.Second, 5 * time.Second: 5 * time.Second} {
		offers, err := offersOf(manifest.Worker{Stacks: []string{"theirs"}, LeastWarmup: manifests}, &control.Hello{
			Stacks: []*control.StackInfo{{Name: "theirs"}}, LeastWarmupNs: 3e9,
		})
		if err != nil || offers[0].LeastWarmup != want {
			t.Errorf("%+v, %v, want %v", offers, err, want)
		}
	}
}
