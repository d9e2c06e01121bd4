//go:build unix

package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"rpcbench/internal/run/driver"
)

// suspendable has Ctrl-Z end the trial that is measured before it stops rpcbench.
func suspendable(config *driver.Config) (restore func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTSTP)
	s, ended := &suspension{}, make(chan struct{})
	config.Suspension = s
	go func() {
		for {
			select {
			case <-signals:
				s.suspend()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(ended)
	}
}

// A suspension is driver.Suspension, by the signals of a terminal.
type suspension struct {
	mu    sync.Mutex
	end   context.CancelFunc // of the trial; nil where none is measured
	asked bool               // to stop when it has ended
}

// suspend stops the process: at once where it measures nothing.
func (s *suspension) suspend() {
	s.mu.Lock()
	measures, again := s.end != nil, s.asked
	if measures {
		s.asked = true
		s.end()
	}
	s.mu.Unlock()
	switch {
	case !measures:
		s.Stop()
	case !again:
		sayAtOnce("suspending when the load has ended; once resumed (fg), rpcbench measures this trial again")
	}
}

// During is driver.Suspension's.
func (s *suspension) During(ctx context.Context) (trial context.Context, over func() bool) {
	trial, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end, s.asked = cancel, false
	return trial, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.end = nil
		cancel()
		return s.asked
	}
}

// stopPatience is how long it may take until a signal has stopped the process. The first process of a container is never stopped,
// and goes on.
const stopPatience = time.Second

// Stop is driver.Suspension's.
func (s *suspension) Stop() {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) // without the right to it, it goes on
	select {
	case <-goesOn:
	case <-time.After(stopPatience):
	}
}
