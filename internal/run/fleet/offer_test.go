package fleet

import (
	"strings"
	"testing"
	"time"

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
	}
}
