package record

import (
	"math"
	"testing"
)

func TestAProductIsTheSumOfLogarithms(t *testing.T) {
	t.Parallel()
	p, want := product{rest: 1}, 0.0
	if p.log() != 0 {
		t.Errorf("of nothing: %v", p.log())
	}
	for i := range 10_000 {
		x := float64(1 + i*i)
		if i%1000 == 0 {
			x = math.MaxInt64
		}
		p.multiply(x)
		want += math.Log(x)
		if got := p.log(); math.Abs(got-want) > 1e-9*want {
			t.Fatalf("after %d: %v, want %v", i+1, got, want)
		}
	}
}
