package conform

import (
	"testing"
	"time"

	"rpcbench/internal/record"
)

// The calls of a freeze are made by its formula, for a server that then answers at once; what a worker that forgets when
// calls were due has recorded is far from it.
func TestAFreezeIsJudgedByWhenCallsWereDue(t *testing.T) {
	t.Parallel()
	f := Freeze{Least: time.Second, Most: 1002 * time.Millisecond, PerSec: 200, Felt: 100 * time.Millisecond}
	due, sent, service := record.NewHistogram(), record.NewHistogram(), record.NewHistogram()
	for i := range 500 {
		waited := time.Millisecond
		if i < 200 { // due while it stood still, 5 ms apart
			waited = time.Second - time.Duration(i)*5*time.Millisecond
		}
		due.RecordValue(int64(waited))
		sent.RecordValue(int64(time.Millisecond))
		service.RecordValue(int64(time.Microsecond))
	}
	sent.RecordValue(int64(time.Second)) // only the call in flight
	if got, err := f.Judge(due, service); err != nil || got != "180 calls over 100ms of 180 to 181, p99 975ms, stopped for 1s" {
		t.Errorf("got %q, %v", got, err)
	}
	want := "1 calls took over 100ms, want 176 to 185 for a stop of 1s"
	if _, err := f.Judge(sent, service); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
