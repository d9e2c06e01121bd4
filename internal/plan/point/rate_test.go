package point

import "testing"

// People write no exponents.
func TestARateIsWrittenWithoutAnExponent(t *testing.T) {
	t.Parallel()
	for rate, want := range map[float64]string{
		2.5: "poisson 2.5/s", 1e6: "poisson 1000000/s", 1e7: "poisson 10000000/s", 1e-5: "poisson 0.00001/s",
	} {
		if got := writeLoad(Asked{Spec: Spec{Load: LoadPoisson, OfferedPerSec: rate}}).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
