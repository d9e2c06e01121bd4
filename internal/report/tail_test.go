package report

import (
	"slices"
	"testing"

	"rpcbench/internal/report/note"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
)

func TestALongTailIsANoteOfItsOwn(t *testing.T) {
	t.Parallel()
	hung := reporttest.Echo(t, 2, func(trial *result.Trial) {
		r := &trial.Clients[0].Record
		r.WindowNs, r.ElapsedNs = 3e9, 3.1e9
		if trial.Repetition == 2 {
			r.ElapsedNs, r.Tail = 9e9, &result.Tail{OK: 1}
		}
	})
	want := "trial 2: the last call ended 6.00 s after the window of 3.00 s; rates leave out 1 OK call that ended after it"
	if got := note.Of(hung.Rows[0]); !slices.Contains(got, want) {
		t.Errorf("%q, want %q among them", got, want)
	}
}
