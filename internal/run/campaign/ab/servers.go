package ab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/evidence"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/server"
	"rpcbench/internal/worker/host"
	"rpcbench/internal/worker/patience"
)

// stopPatience limits the time for a server to end before it is killed.
const stopPatience = 5 * time.Second

// logBytes limits the file of a side's output.
const logBytes = 64 << 20

// Servers start the server of a trial's side, and stop it after the trial. They are a campaign.Stage. The output of each server
// is appended to a file, the beginning and the end of what one prints in a trial.
type Servers struct {
	Through []string        // a command that runs another and ends it when this process is gone; nil is none
	A, B    []string        // commands
	At      server.Address  // where both listen
	Ready   time.Duration   // how long one may take until it does
	Settle  time.Duration   // how long to wait then
	Folder  evidence.Folder // of what they print

	Seed uint64 // of what varies by trial: the size of the environment

	starting sync.Mutex     // held while a server is started, and for ever once they were killed
	running  *server.Server // nil while none runs; guarded by starting

	log  *server.Log // of it
	file *os.File    // that the log is written to

	reading sync.Mutex
	tree    *host.Tree // of the processes of the server that runs; nil while none is known; guarded by reading
}

// Rehearse starts each server once, so that a wrong command is reported before anything is measured. The error is a
// *campaign.AbsentError if a server does not start.
func (s *Servers) Rehearse(ctx context.Context) error {
	for _, side := range []pairs.Side{pairs.A, pairs.B} {
		s.log = server.NewLog(io.Discard, 0)
		if err := s.start(ctx, side, ""); err != nil {
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
	side := pairs.Side(trial.Cases[0].Scenario)
	err := s.openLog(side)
	if err != nil {
		return err
	}
	if err = s.start(ctx, side, launch.DrawLayout(s.Seed, trial.ID).Padding()); err == nil {
		return nil
	}
	s.closeLog()
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
		evidence.LastWords = s.log.LastWords()
	}
	if cut := s.log.Cut(); cut != "" {
		evidence.Warnings = append(evidence.Warnings, result.Warning{
			Code: result.WarningCutOutput, Text: fmt.Sprintf("%s is not whole: %s", filepath.Base(s.file.Name()), cut),
		})
	}
}

// Usage implements campaign.Metered.
func (s *Servers) Usage() (host.Usage, bool) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.tree == nil {
		return host.Usage{}, false
	}
	return s.tree.Usage()
}

// Clear implements campaign.Stage: it ends the server.
func (s *Servers) Clear() error {
	defer s.closeLog()
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
func (s *Servers) start(ctx context.Context, side pairs.Side, more string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := s.launch(side, more); err != nil {
		return &campaign.AbsentError{Reason: err}
	}
	started := s.running
	err := started.Await(ctx, s.At, s.Ready)
	if silent, ok := errors.AsType[*server.SilentError](err); ok {
		err = fmt.Errorf("%w; --ready gives it longer", silent)
	}
	if err == nil {
		err = patience.Pause(ctx, s.Settle)
	}
	if err != nil {
		err = errors.Join(err, s.stop())
		return &campaign.AbsentError{Reason: err, LastWords: s.log.LastWords()}
	}
	s.meter()
	return nil
}

func (s *Servers) launch(side pairs.Side, more string) error {
	name, words := "server A", s.A
	if side.IsB() {
		name, words = "server B", s.B
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	started, err := server.Start(name, s.Through, words, more, s.log)
	s.running = started
	return err
}

// meter has Usage count the processes of the server that runs, if they are those that listen. A command may have another program
// start the server, as those of containers do.
func (s *Servers) meter() {
	if len(s.Through) == 0 { // below which are the server and what it starts
		return
	}
	tree := &host.Tree{Root: s.running.PID()}
	listens := tree.ListensUnix
	if _, port, err := net.SplitHostPort(s.At.Text); err == nil && s.At.Network == "tcp" {
		number, _ := strconv.Atoi(port) // of a name is none
		listens = func() bool { return tree.ListensTCP(number) }
	}
	if listens() {
		s.count(tree)
	}
}

// count has Usage count the processes of a tree from now on; nil counts none.
func (s *Servers) count(tree *host.Tree) {
	s.reading.Lock()
	defer s.reading.Unlock()
	s.tree = tree
}

func (s *Servers) stop() error {
	s.count(nil)
	err := s.running.Stop(s.At, stopPatience)
	s.starting.Lock()
	defer s.starting.Unlock()
	s.running = nil
	return err
}

// openLog opens the file for the output of a side's server.
func (s *Servers) openLog(side pairs.Side) error {
	name := "server-a.log"
	if side.IsB() {
		name = "server-b.log"
	}
	file, err := s.Folder.Append(name)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	s.file, s.log = file, server.NewLog(file, logBytes-info.Size())
	return nil
}

// closeLog closes it. What could not be written the next trial's warning says, if there is one.
func (s *Servers) closeLog() {
	_ = s.log.End()
	_ = s.file.Close()
}
