package plan

import "testing"

func TestWarmUpsUntilSteadyAreNamedOnceTheShortestFirst(t *testing.T) {
	t.Parallel()
	trial := func(least, most int64) Trial { return Trial{Spec: Spec{WarmupNs: least, WarmupMostNs: most}} }
	for _, test := range []struct {
		trials []Trial
		want   string
	}{
		{nil, ""},
		{[]Trial{trial(1e9, 0), trial(0, 0)}, ""},
		{[]Trial{trial(2e9, 6e9), trial(1e9, 0), trial(2e9, 6e9)}, "2s to 6s"},
		{[]Trial{trial(8e9, 20e9), trial(2e9, 6e9), trial(8e9, 20e9)}, "2s to 6s and 8s to 20s"},
	} {
		if got := UntilSteady(test.trials); got != test.want {
			t.Errorf("%v: got %q, want %q", test.trials, got, test.want)
		}
	}
	if got := trial(300e6, 0).Spec.WarmUp(); got != "300ms" {
		t.Errorf("a fixed length: got %q", got)
	}
}
