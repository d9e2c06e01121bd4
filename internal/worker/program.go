package worker

import (
	"context"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// Programs starts foreign programs as servers.
type Programs interface {
	// Start starts a program and returns when it is ready. It must listen at the address of the network. A proxy may have to use
	// TLS, with the keys of security.
	Start(ctx context.Context, program *control.Program, network, address string, security *control.Security) (Program, error)
}

// A Program is a server that was started.
type Program interface {
	Address() string           // where it listens
	Usage() (host.Usage, bool) // of it and all that it has started; false where the system does not tell
	Sockets() int64            // that were accepted, as far as the system tells; 0 is unknown
	Ended() <-chan struct{}    // closed when it has ended
	End() error                // how it ended, once it has
	Close()                    // ends it
}

// An Option adds a capability to a worker.
type Option func(*worker)

// WithPrograms lets a worker start servers. Once one ends by itself, the worker says so in a Fault, and is abandoned.
func WithPrograms(programs Programs, abandon func()) Option {
	return func(w *worker) { w.programs, w.abandon = programs, abandon }
}

// serveProgram starts a foreign server.
func (w *worker) serveProgram(c *control.Serve) (*control.Serving, error) {
	switch {
	case w.programs == nil:
		return nil, control.Faultf("serve.program", "this worker can't start programs")
	case len(c.GetProgram().GetCommand()) == 0:
		return nil, control.Faultf("serve.program.command", "there is none")
	case c.GetStack() != "":
		return nil, control.Faultf("serve.stack", "a program is served instead of a stack")
	case !keyless(c.GetProgram(), c.GetSecurity().GetMode()):
		return nil, control.Faultf("serve.security.mode", "a program gets no keys, so %q is not supported", c.GetSecurity().GetMode())
	case len(c.GetOptions()) > 0 || c.GetPermissions() != nil || c.GetLimits() != nil:
		return nil, control.Faultf("serve", "a program gets no options, permissions or limits")
	}
	program, err := w.programs.Start(w.ctx, c.GetProgram(), c.GetNetwork(), c.GetAddress(), c.GetSecurity())
	if err != nil {
		return nil, err
	}
	w.program = program
	go w.watchProgram(program)
	return &control.Serving{Address: program.Address()}, nil
}

// keyless reports whether a program can do without keys, or is a proxy, which gets some.
func keyless(p *control.Program, mode string) bool {
	return mode == stack.SecurityPlaintext || mode == stack.SecurityTLS && p.GetUpstream() != ""
}

// watchProgram ends the worker with the program, and answers the next command with the reason: the driver learns of it in no
// other way.
func (w *worker) watchProgram(program Program) {
	select {
	case <-program.Ended():
	case <-w.ctx.Done():
		return
	}
	_ = w.events.Write(&control.Fault{Message: program.End().Error()}) // who doesn't hear it sees the end
	w.abandon()
}

// programSnapshot returns what the program has used so far. The bytes on its sockets are unknown, but not their number, for which
// the system looks through all sockets.
func programSnapshot(p Program, mark *control.Mark) *control.Snapshot {
	s := &control.Snapshot{TimeNs: int64(time.Since(started))}
	if !mark.GetBrief() {
		s.Sockets = p.Sockets()
	}
	if usage, known := p.Usage(); known {
		s.CpuUserNs, s.CpuSystemNs, s.PeakMemoryBytes = int64(usage.CPUUser), int64(usage.CPUSystem), usage.PeakMemoryBytes
		s.VoluntarySwitches, s.InvoluntarySwitches = new(usage.VoluntarySwitches), new(usage.InvoluntarySwitches)
	}
	return s
}
