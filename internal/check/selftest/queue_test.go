package selftest

import (
	"math"
	"testing"
	"time"

	"rpcbench/internal/check/truth"
	"rpcbench/internal/stack"
)

// The seed's luck must not use up a tolerance.
func TestSeedsAreTypical(t *testing.T) {
	t.Parallel()
	grpc := stack.Info{Name: "grpc-go", Protocol: stack.ProtocolGRPC, Kinds: []string{stack.KindUnary}}
	for name, effort := range map[string]Effort{"quick": Quick(), "usual": Usual(), "full": Full()} {
		for _, warmUp := range []time.Duration{0, 3 * time.Second} {
			for _, c := range queues(Pair{Client: grpc, Server: grpc, LeastWarmup: warmUp}, effort) {
				if c.spec.Load != "poisson" {
					continue
				}
				perSec := c.spec.OfferedPerSec
				arrivals := truth.Arrivals(perSec, c.seed, int(effort.Calls))
				service, want := []time.Duration{effort.Service}, truth.MD1
				if c.server[:5] == "expon" {
					service, want = truth.Exponential(effort.Service, c.seed, int(effort.Calls)), truth.MM1
				}
				used := before(truth.Arrivals(perSec, c.seed, 10_000), time.Duration(c.spec.WarmupNs))
				responses := truth.Responses(arrivals, service, used)
				for _, q := range []float64{.5, tail(effort.Calls)} {
					got, formula := truth.Quantile(responses, q), want(perSec, effort.Service, q)
					if off := math.Abs(float64(got-formula)) / float64(formula); off > .015 {
						t.Errorf("%s, %s: quantile %g of the sequence is %v, of the formula %v", name, c.server, q, got, formula)
					}
				}
			}
		}
	}
}
