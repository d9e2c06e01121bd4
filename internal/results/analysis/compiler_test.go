package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/results/result"
)

func TestACompilerThatWorksWhileItIsMeasuredIsNamedWithItsShare(t *testing.T) {
	t.Parallel()
	compiling := func(beforeMs, afterMs int64) result.Side { // of 1 s of CPU time
		return result.Side{
			Begin: &result.Snapshot{TimeNs: 1, CPUUserNs: 5e9, CPUSystemNs: 1e9, CompilerCPUNs: new(beforeMs * 1e6)},
			End:   &result.Snapshot{TimeNs: 1e9, CPUUserNs: 5.7e9, CPUSystemNs: 1.3e9, CompilerCPUNs: new(afterMs * 1e6)},
		}
	}
	silent := result.Side{Begin: &result.Snapshot{}, End: &result.Snapshot{TimeNs: 1e9, CPUUserNs: 1e9}}
	for name, c := range map[string]struct {
		client, server result.Side
		want           []string
	}{
		"unknown":  {silent, silent, nil},
		"no CPU":   {result.Side{}, result.Side{}, nil},
		"at bound": {compiling(3000, 3100), silent, nil},
		"client": {compiling(3000, 3230), compiling(3000, 3050),
			[]string{"the just-in-time compiler of the client used 23% of its CPU time (bound 10%)"}},
		"both": {compiling(0, 540), compiling(10, 130), []string{
			"the just-in-time compiler of the client used 54% of its CPU time (bound 10%)",
			"the just-in-time compiler of the server used 12% of its CPU time (bound 10%)",
		}},
	} {
		one := trial(t, spec("grpc-go"), 1, 1000, 100)
		one.Clients[0].Side, one.Servers[0] = c.client, c.server
		row := onlyRow(t, build(t, file("a", one)))
		var why []string
		for _, f := range row.Trials[0].Findings() {
			if f.Code == CodeCompilerBusy && f.Verdict == VerdictJITActive {
				why = append(why, f.Why)
			}
		}
		if diff := cmp.Diff(c.want, why); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if known := row.Trials[0].KnowsCompilers(); known != (c.client.Begin != nil && c.client.Begin.CompilerCPUNs != nil) {
			t.Errorf("%s: compilers are known: %v", name, known)
		}
	}
}
