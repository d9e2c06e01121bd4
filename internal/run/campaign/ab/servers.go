package ab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/evidence"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/run/server"
)

// stopPatience limits the time for a server to end before it is killed.
const stopPatience = 5 * time.Second

// Servers start the server of a trial's side, and stop it after the trial. They are a campaign.Stage. The output of each server
// is appended to a file.
type Servers struct {
	Through []string        // a command that runs another and ends it when this process is gone; nil is none
	A, B    []string        // commands
	At      server.Address  // where both listen
	Ready   time.Duration   // how long one may take until it does
	Settle  time.Duration   // how long to wait then
	Folder  evidence.Folder // of what they print

	Seed uint64 // of what varies by trial: the size of the environment

	Temporary *scratch.Dir // for what they print before anything is measured; nil is the system's

	starting sync.Mutex     // held while a server is started, and for ever once they were killed
	running  *server.Server // nil while none runs; guarded by starting
	log      *os.File       // of it
}

// Rehearse starts each server once, so that a wrong command is reported before anything is measured. The error is a
// *campaign.AbsentError if a server does not start.
func (s *Servers) Rehearse(ctx context.Context) error {
	folder, err := s.Temporary.Folder()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }() // for the moment
	log, err := os.Create(filepath.Join(folder, "server.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	for _, side := range []Side{A, B} {
		if err := s.start(ctx, side, "", log); err != nil {
			return err
		}
		if err := s.stop(); err != nil {
			return err
		}
	}
	return nil
}

// Set implements campaign.Stage: it has the server of the trial's side listen.
func (s *Servers) Set(ctx context.Context, trial plan.Trial) error {
	side := Side(trial.Cases[0].Scenario)
	var err error
	if s.log, err = s.openLog(side); err != nil {
		return err
	}
	if err = s.start(ctx, side, launch.DrawLayout(s.Seed, trial.ID).Padding(), s.log); err == nil {
		return nil
	}
	s.log.Close()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case s.At.Accepts(ctx):
		return errors.Unwrap(err) // no absence: the next server could not be told from what listens there
	default:
		return err
	}
}

// Amend implements campaign.Stage: a server that ended by itself is why a trial failed.
func (s *Servers) Amend(ctx context.Context, evidence *result.Trial) {
	if evidence.Status == result.StatusFailed && !s.At.Accepts(ctx) {
		s.running.AwaitEnd(stopPatience) // it listens no longer, so that it is about to end, and how says more than its calls
	}
	if ended := s.running.Ended(); ended != nil {
		evidence.Fail(result.FailureServer, ended.Error()+" while it was measured")
		evidence.LastWords = s.running.LastWords()
	}
}

// Clear implements campaign.Stage: it ends the server.
func (s *Servers) Clear() error {
	defer s.log.Close()
	return s.stop()
}

// Kill ends the server that runs at once, and has no further one started.
func (s *Servers) Kill() {
	s.starting.Lock()
	if s.running != nil {
		s.running.Kill()
	}
}

// start has a side's server listen. One that does not is stopped.
func (s *Servers) start(ctx context.Context, side Side, more string, log *os.File) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := s.launch(side, more, log); err != nil {
		return &campaign.AbsentError{Reason: err}
	}
	started := s.running
	err := started.Await(ctx, s.At, s.Ready)
	if silent, ok := errors.AsType[*server.SilentError](err); ok {
		err = fmt.Errorf("%w; --ready gives it longer", silent)
	}
	if err == nil {
		err = pause(ctx, s.Settle)
	}
	if err != nil {
		err = errors.Join(err, s.stop())
		return &campaign.AbsentError{Reason: err, LastWords: started.LastWords()}
	}
	return nil
}

func (s *Servers) launch(side Side, more string, log *os.File) error {
	name, words := "server A", s.A
	if side.IsB() {
		name, words = "server B", s.B
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	started, err := server.Start(name, s.Through, words, more, log)
	s.running = started
	return err
}

func (s *Servers) stop() error {
	err := s.running.Stop(s.At, stopPatience)
	s.starting.Lock()
	defer s.starting.Unlock()
	s.running = nil
	return err
}

// openLog opens the file for the output of a side's server.
func (s *Servers) openLog(side Side) (*os.File, error) {
	name := "server-a.log"
	if side.IsB() {
		name = "server-b.log"
	}
	return s.Folder.Append(name)
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
