// Package serve runs a server of one of our stacks in a worker, as in every measurement, until it is told to end.
package serve

import (
	"context"
	"errors"
	"fmt"

	"rpcbench/internal/call/target"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
)

// A Config specifies the server.
type Config struct {
	Stack   string
	Listen  target.Target
	Payload string
	Seed    uint64
	Options map[string]string
	Keys    Keys
	Limits  Limits

	// Records are those of the server's store, each of RecordBytes, which batches of clients read and write; 0 is no store.
	Records     uint64
	RecordBytes uint32
}

// A RefusedError says what the worker refuses, and the field of its command that is to blame.
type RefusedError struct{ Field, Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// Run serves until ctx ends; calls in flight are then finished. Listening is told the address. A worker without limits serves
// without them.
func Run(ctx context.Context, config Config, worker *launch.Worker, listening func(target.Target) error) error {
	serve, err := config.command()
	if err != nil {
		return errors.Join(err, worker.Close())
	}
	if !worker.Hello.GetLimits() {
		serve.Limits = nil // which it would refuse
	}
	serving, err := worker.Serve(ctx, serve)
	if err != nil {
		return refused(errors.Join(err, worker.Close()))
	}
	if err := listening(target.Target{Network: config.Listen.Network, Address: serving.GetAddress()}); err != nil {
		return errors.Join(err, worker.Close())
	}
	select {
	case <-ctx.Done():
		return worker.Close()
	case <-worker.Ended():
		return fmt.Errorf("the server ended by itself: %w; its last output: %s", worker.Close(), worker.LastWords())
	}
}

func (c Config) command() (*control.Serve, error) {
	serve := &control.Serve{
		Stack: c.Stack, Network: c.Listen.Network, Address: c.Listen.Address, Payload: c.Payload, Seed: c.Seed,
		Options: c.Options, Limits: c.Limits.command(),
	}
	if c.Records > 0 {
		serve.Store = &control.Store{Records: c.Records, ValueBytes: c.RecordBytes}
	}
	return serve, c.Keys.secure(serve)
}

func refused(err error) error {
	if fault, ok := errors.AsType[*control.FaultError](err); ok {
		return &RefusedError{fault.Field, fault.Message}
	}
	return err
}
