package hosts

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
)

// A Checked is the result of checking a host.
type Checked struct {
	Host      Host
	Address   string // at which others reach it
	Hello     *control.Hello
	RoundTrip time.Duration    // the median of a message to the worker and its answer
	Ahead     time.Duration    // its wall clock, as far as the round trip lets that be known
	Watched   *control.Watched // what can be watched of it
	Err       error            // why it can't be used
}

// errInterrupted is why a host whose check was cut short can't be used.
var errInterrupted = errors.New("interrupted before the check was done")

// Check checks hosts concurrently. When ctx ends, it abandons unfinished checks and keeps the others. Its error reports Pods that
// it made and could not remove.
func Check(ctx context.Context, hosts []Host, version string) ([]Checked, error) {
	checks := make([]Checked, len(hosts))
	var checking sync.WaitGroup
	for i, host := range hosts {
		checking.Go(func() {
			checks[i].Host = host
			checks[i].Err = checks[i].check(ctx, version)
			if checks[i].Err != nil && ctx.Err() != nil {
				checks[i].Err = errInterrupted
			}
		})
	}
	checking.Wait()
	return checks, closePods(hosts)
}

func (c *Checked) check(ctx context.Context, version string) error {
	host, err := c.Host.prepare(ctx, version)
	c.Address = host.address
	if err != nil {
		return err
	}
	worker, err := launch.Start(ctx, host, launch.Order{Host: c.Host.Name})
	if err != nil {
		return launch.WithLastWords(err)
	}
	heard := time.Now()
	c.Hello = worker.Hello
	if err := c.measure(ctx, worker); err != nil {
		_ = worker.Abort()
		return err
	}
	// Its clock was read before the message that says so left.
	c.Ahead = time.Unix(0, c.Hello.GetHost().GetUnixNs()).Add(c.RoundTrip / 2).Sub(heard)
	return worker.Close()
}

// trips are enough for a median that one late message does not move.
const trips = 9

func (c *Checked) measure(ctx context.Context, worker *launch.Worker) (err error) {
	if err := worker.Watch(ctx); err != nil {
		return err
	}
	var took []time.Duration
	for range trips {
		begun := time.Now()
		if _, err := worker.Mark(ctx); err != nil {
			return err
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	c.RoundTrip = took[len(took)/2]
	c.Watched, err = worker.EndWatch(ctx)
	return err
}
