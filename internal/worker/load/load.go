// Package load makes calls when they are due and reports the outcome of each.
//
// A closed load has a number of slots, which a ramp may change over time, and each makes its next call when the previous one
// is done. An open load has its own schedule: arrivals fall due whether or not slots are free. A stalled server never slows
// the schedule, and a late call keeps its due time, so a sample says how long a user would have waited. This avoids
// coordinated omission, a term by Gil Tene.
//
// A slot makes its calls by a Caller, in its own goroutine, or by a Pipeline, which has many slots and no goroutine for each.
// Schedules, lags, deadlines and outcomes are the same for both.
//
// The package knows no RPC, no histogram and no process. Callers, a clock, a Waiter and a Sink are passed in, so its tests
// run in virtual time. Times are durations since the phase began.
package load

import (
	"context"
	"errors"
	"time"
)

// A Caller performs one slot's calls, one at a time. It is the adapter's contract, stack.Caller, seen from here.
type Caller interface {
	Call(ctx context.Context) error
	After() error
}

// A Sink takes samples. Record is called by all slots concurrently, once for every arrival that was due, with the number
// of who calls: of the slot, or of the Pipeline for all of its slots. Arrivals that were never sent may come together. The
// sample is the caller's, and may change when Record has returned.
type Sink interface {
	Record(from int, sample *Sample)
}

// A Sample is one arrival's story.
//
// Response time, what the user waits for, is Done − Due. Service time is Done − Sent. The lag between Due and Sent is
// Queue (no slot was free: the load's or the server's doing) and then Wake (a slot was free: the instrument's fault).
// In a closed load Due is Sent, and both lags are zero.
type Sample struct {
	Due   time.Duration
	Sent  time.Duration // 0 when unsent
	Done  time.Duration // when it was given up, for Unsent and Unfinished: Done − Due is then a lower bound
	Queue time.Duration
	Wake  time.Duration
	Fate  Fate
	Which int   // of the calls of a Mix, from 0
	More  int64 // arrivals that were due with it and Unsent as it, at most a thousandth of Done − Due earlier
	Err   error // of an answered call, nil is success; of one that is Unfinished what it was waiting for, nil is unknown
}

// Fate is how an arrival ended.
type Fate uint8

// An arrival is answered (well or with an error), or due and never sent, or sent and never answered before the drain
// ended.
const (
	Answered Fate = iota
	Unsent
	Unfinished
)

// ErrDeadline is the Sample.Err of a call that outlived the deadline and was canceled.
var ErrDeadline = errors.New("the deadline passed")
