package script

import (
	"sync"
	"time"

	"rpcbench/internal/stack"
)

// A line holds calls until they have been served. Calls may come concurrently.
type line struct {
	times     []time.Duration // service times, taken again and again
	slow      time.Duration   // of every call whose number is a multiple of slowEvery
	slowEvery int64           // 0 is none
	dropEvery int64           // calls whose number is a multiple of it are never answered; 0 is none
	aside     bool            // calls are served side by side, not one at a time
	later     time.Duration   // the service time from some time after the first call on; 0 is none
	after     time.Duration   // how long that is

	mu    sync.Mutex
	first time.Time // when the first call came
	calls int64     // that have come
	free  time.Time // when the last of them will be done
}

// admit takes a call that comes now and says when it must be released, or that it must never be. One at a time is
// Lindley's recursion: a call begins when it comes or when the one before is done.
func (l *line) admit(now time.Time) (release time.Time, dropped bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	service := l.times[l.calls%int64(len(l.times))]
	if l.calls == 0 {
		l.first = now
	}
	l.calls++
	if l.later > 0 && now.Sub(l.first) >= l.after {
		service = l.later
	}
	if l.slowEvery > 0 && l.calls%l.slowEvery == 0 {
		service = l.slow
	}
	if l.dropEvery > 0 && l.calls%l.dropEvery == 0 {
		return time.Time{}, true
	}
	if l.aside {
		return now.Add(service), false
	}
	if l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(service)
	return l.free, false
}

// hold blocks for as long as a call that arrives now must wait, or until stopped is closed: the call is then answered with the
// returned error.
func (l *line) hold(stopped <-chan struct{}) error {
	release, dropped := l.admit(time.Now())
	if dropped {
		<-stopped
	}
	if dropped || !until(release, stopped) {
		return stack.Errorf(stack.Unavailable, "the server is being stopped")
	}
	return nil
}
