package serve

import (
	"context"
	"fmt"
	"io"
	"testing"

	"rpcbench/internal/call/target"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

func TestOnlyAWorkerWithLimitsIsGivenThem(t *testing.T) {
	t.Parallel()
	for _, has := range []bool{true, false} {
		t.Run(fmt.Sprintf("limits %v", has), func(t *testing.T) {
			t.Parallel()
			given := make(chan *control.Limits, 1)
			worker, err := launch.Open(t.Context(), played(has, given))
			if err != nil {
				t.Fatal(err)
			}
			config := Config{Stack: "x", Listen: target.Target{Network: stack.NetworkUnix, Address: "s"}, Limits: DefaultLimits()}
			ctx, end := context.WithCancel(t.Context())
			err = Run(ctx, config, worker, func(at target.Target) error {
				if at.Address != "there" {
					t.Errorf("it listens on %s, want there", at.Address)
				}
				end()
				return nil
			})
			if got := (<-given).GetConnections(); has && got != 1000 || !has && got != 0 || err != nil {
				t.Errorf("at most %d connections, and %v", got, err)
			}
		})
	}
}

// process is a worker in this process.
type process struct {
	io.Reader
	io.WriteCloser

	ended chan struct{}
}

// played starts a worker with limits or without, which refuses those that it does not have.
func played(has bool, given chan<- *control.Limits) *process {
	commands, commanded := io.Pipe()
	told, tells := io.Pipe()
	p := &process{told, commanded, make(chan struct{})}
	go func() {
		defer close(p.ended)
		defer tells.Close()
		events := control.NewEventWriter(tells)
		_ = events.Write(&control.Hello{Protocol: control.Version, Limits: has, Stacks: []*control.StackInfo{{Name: "x"}}})
		for in := control.NewCommandReader(commands); ; {
			command, err := in.Read()
			if err != nil {
				return
			}
			serve := command.GetServe()
			given <- serve.GetLimits()
			if serve.GetLimits() != nil && !has {
				_ = events.Write(&control.Fault{Field: "serve.limits", Message: "this worker has no limits"})
				continue
			}
			_ = events.Write(&control.Serving{Address: "there"})
		}
	}()
	return p
}

// Host implements launch.Process.
func (p *process) Host() launch.Host { return launch.Host{} }

// LastWords implements launch.Process.
func (p *process) LastWords() string { return "" }

// Kill implements launch.Process.
func (p *process) Kill() { _ = p.Close() }

// Wait implements launch.Process.
func (p *process) Wait() error {
	<-p.ended
	return nil
}
