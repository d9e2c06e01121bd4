package qps

import (
	"fmt"
	"time"

	"rpcbench/internal/worker/control"
)

// A usage is what a worker used, summed over its answers.
type usage struct{ elapsed, user, system time.Duration }

// stats are what the answer of either role to a Mark has in common. Times are in seconds.
type stats interface {
	GetTimeElapsed() float64
	GetTimeUser() float64
	GetTimeSystem() float64
}

// usageOf reads an answer to a Mark. An answer without stats has no elapsed time, and is an error like a time that none can be.
func usageOf(w Worker, s stats) (u usage, err error) {
	if s.GetTimeElapsed() == 0 {
		return u, fmt.Errorf("%s does not say for how long it counted: its stats have no time_elapsed", w)
	}
	for _, field := range []struct {
		name string
		s    float64
		to   *time.Duration
	}{
		{"time_elapsed", s.GetTimeElapsed(), &u.elapsed},
		{"time_user", s.GetTimeUser(), &u.user},
		{"time_system", s.GetTimeSystem(), &u.system},
	} {
		if *field.to, err = seconds(field.s); err != nil {
			return usage{}, fmt.Errorf("%s: %s: %w", w, field.name, err)
		}
	}
	return u, nil
}

// longest is more than a role takes: ten years, in seconds.
const longest = 10 * 366 * 24 * 3600

func seconds(s float64) (time.Duration, error) {
	if !(s >= 0 && s <= longest) { // NaN is neither
		return 0, fmt.Errorf("%v s is no time", s)
	}
	return time.Duration(s * float64(time.Second)), nil
}

func (u *usage) add(other usage) {
	u.elapsed += other.elapsed
	u.user += other.user
	u.system += other.system
}

// snapshot contains what is known; everything else is absent.
func (u *usage) snapshot() *control.Snapshot {
	return &control.Snapshot{TimeNs: int64(u.elapsed), CpuUserNs: int64(u.user), CpuSystemNs: int64(u.system)}
}
