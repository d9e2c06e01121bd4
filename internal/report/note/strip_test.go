package note

import "testing"

func TestAStripHasAMarkForEachTrial(t *testing.T) {
	t.Parallel()
	for want, values := range map[string][]float64{
		"▁█▁█": {8.1, 54, 8.3, 53}, "▁▃▅▇█": {0, 25, 50, 75, 100}, "▁▁▁": {5, 5, 5}, "": nil,
	} {
		if got := strip(values); got != want {
			t.Errorf("%v: %s, want %s", values, got, want)
		}
	}
}
