package ui_test

import (
	"slices"
	"testing"

	"rpcbench/internal/cli/ui"
)

// A resumed file has a line more for each trial that is measured again.
func TestALivePageCountsTrialsThatAreGood(t *testing.T) {
	t.Parallel()
	const (
		header      = `{"format":"rpcbench-results","plan":[{},{"id":"b"}]}` + "\n"
		good        = `{"id":"a","status":"ok"}` + "\n"
		broken      = `{"id":"a","status":"failed"}` + "\n"
		interrupted = `{"id":"a","status":"ok","interrupted":true}` + "\n"
		other       = `{"id":"b","status":"ok"}` + "\n"
	)
	for _, test := range []struct{ states, want []string }{
		{[]string{"", header, header + good, header + good + other}, []string{"0 of 0", "0 of 2", "1 of 2", "2 of 2"}},
		{[]string{header + broken, header + broken + other, header + broken + other + good}, []string{"0 of 2", "1 of 2", "2 of 2"}},
		{[]string{header + interrupted, header + interrupted + good + good}, []string{"0 of 2", "1 of 2"}},
		{[]string{header + good + broken}, []string{"0 of 2"}},
		{[]string{header + "no trial\n" + `{"status":"ok"}` + "\n"}, []string{"0 of 2"}},
		{[]string{header + good[:9], header + good}, []string{"0 of 2", "1 of 2"}}, // half a line is no trial
		// Another file of that name begins anew.
		{[]string{header + good + other, header + other, header + other + good}, []string{"2 of 2", "1 of 2", "2 of 2"}},
	} {
		if got := ui.Follow(test.states...); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.states, got, test.want)
		}
	}
}
