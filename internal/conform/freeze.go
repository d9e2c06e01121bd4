package conform

import (
	"fmt"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/record"
)

const (
	frozenPerSec = 200
	frozenWindow = 2500 * time.Millisecond
	freezeFor    = time.Second
	feltFrom     = 100 * time.Millisecond // a call that takes longer has felt the freeze
)

// frozen stops the server for a second under an open load. Every call that was due meanwhile must say so, however few
// slots there are: this is where coordinated omission would show.
func frozen(s shape) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		client, server, err := r.warmed(unary(s))
		if err != nil {
			return "", err
		}
		begin := openFor("constant", frozenPerSec, frozenWindow)
		done, stopped, err := r.runFrozen(client, server, begin)
		if err != nil {
			return "", err
		}
		if err := wantOutcome(done, "OK", frozenPerSec*int64(frozenWindow/time.Millisecond)/1000); err != nil {
			return "", err
		}
		h, err := decodeAll(done)
		if err != nil {
			return "", err
		}
		freeze := Freeze{stopped.least, stopped.most, frozenPerSec, feltFrom}
		detail, err := freeze.Judge(h["response"], h["service"])
		if err != nil {
			return "", err
		}
		return detail, checkLags(h, s)
	}
}

// runFrozen runs a phase and freezes the server half a second after its begin.
func (r *rig) runFrozen(client, server *child, begin *control.Begin) (*control.Done, stopTime, error) {
	var seen int
	var stopped stopTime
	frozen := make(chan error, 1)
	done, err := r.watched(client, begin, func(*control.Interval) {
		if seen++; seen == 5 {
			go func() {
				var err error
				stopped, err = server.freeze(r.ctx, freezeFor)
				frozen <- err
			}()
		}
	})
	if err == nil && seen < 5 {
		return nil, stopped, fmt.Errorf("%d intervals came of %v, ten a second were due", seen, frozenWindow)
	}
	if seen >= 5 {
		if failed := <-frozen; err == nil {
			err = failed
		}
	}
	return done, stopped, err
}

// checkLags checks that waiting is put down to what caused it: a call on every slot was in flight, all others queued.
func checkLags(h histogramsByName, s shape) error {
	if hung := record.CountAbove(h["service"], feltFrom); hung > s.slots() {
		return fmt.Errorf("%d calls were in flight for over %v, on %d slots", hung, feltFrom, s.slots())
	}
	if late := record.CountAbove(h["wake"], feltFrom); late > 0 {
		return fmt.Errorf("%d calls have a wake over %v, where no slot was free: that is queue", late, feltFrom)
	}
	return nil
}
