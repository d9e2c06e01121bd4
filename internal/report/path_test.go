package report

import (
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
)

func TestTheLegendSaysWhatIsInBetween(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec plan.Spec
		want string
	}{
		{plan.Spec{Network: "tcp", Security: "tls"}, ""},
		{plan.Spec{Network: "inproc"}, "Over inproc client and server are one process"},
		{plan.Spec{Network: "tcp", Proxy: &point.Proxy{Name: "grpc-go"}}, ""},
		{plan.Spec{Network: "tcp", Security: "tls", Proxy: &point.Proxy{Name: "grpc-go"}}, "TLS ended at the proxy"},
	} {
		got := strings.Join(pathLegend([]*analysis.Row{{Spec: c.spec}}), " ")
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.spec, got, c.want)
		}
	}
}
