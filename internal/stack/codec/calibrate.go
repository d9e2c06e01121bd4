package codec

import "time"

const (
	// warmupOperations run before anything is timed, as in the original.
	warmupOperations = 100
	// timedMax is how long operations must take before their number is scaled to a long sample, as in the original. It bounds the
	// time of the calibration.
	timedMax = 2 * time.Second
)

// calibrate finds how many operations take as long as sample, at least 1: it doubles their number until they take a
// fifth of it, or timedMax, twice in a row, and scales the quicker of the two: one alone may have been held up. Warming
// up takes no longer than that either. run performs n operations.
func calibrate(now func() time.Time, sample time.Duration, run func(n int64) error) (int64, error) {
	enough := min(sample/5, timedMax)
	begun := now()
	for range warmupOperations {
		if err := run(1); err != nil {
			return 0, err
		}
		if now().Sub(begun) >= enough {
			break
		}
	}
	for n := int64(1); ; n *= 2 {
		elapsed, err := timed(now, func() error { return run(n) })
		if err == nil && elapsed >= enough {
			var again time.Duration
			again, err = timed(now, func() error { return run(n) })
			elapsed = min(elapsed, again)
		}
		if err != nil {
			return 0, err
		}
		if elapsed >= enough {
			return max(1, int64(float64(n)*float64(sample)/float64(elapsed))), nil
		}
	}
}

func timed(now func() time.Time, run func() error) (time.Duration, error) {
	begun := now()
	err := run()
	return now().Sub(begun), err
}
