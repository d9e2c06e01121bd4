package main

import (
	"context"
	"errors"
	"time"

	"rpcbench/internal/stack"
)

// noop is a stack whose calls do nothing, without a server: at once, or after a pause.
type noop struct{ pause time.Duration }

var pauseNs = stack.Option{
	Name: "pause_ns", Help: "How long a call takes.", Client: true,
	Numbers: stack.Range{Min: 0, Max: int64(time.Hour)}, Default: "0",
}

// Info is stack.Stack's.
func (noop) Info() stack.Info {
	return stack.Info{
		Name: "noop", Protocol: "noop", Calls: true, Multiplexed: true,
		Kinds:        []string{stack.KindUnary},
		Networks:     []string{stack.NetworkTCP},
		Securities:   []string{stack.SecurityPlaintext},
		Compressions: []string{stack.CompressionNone},
		Options:      []stack.Option{pauseNs},
	}
}

// Serve is stack.Stack's.
func (noop) Serve(stack.ServeConfig) (stack.Server, error) {
	return nil, errors.New("noop has no server")
}

// Dial is stack.Stack's.
func (n noop) Dial(_ context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := n.Info().CheckDial(config); err != nil {
		return nil, err
	}
	return noop{time.Duration(pauseNs.Int(config.Options))}, nil
}

// Caller is stack.Conn's.
func (n noop) Caller(stack.Call, int) (stack.Caller, error) { return n, nil }

// Close is stack.Conn's.
func (noop) Close() error { return nil }

// Call is stack.Caller's.
func (n noop) Call(context.Context) error {
	if n.pause > 0 {
		time.Sleep(n.pause)
	}
	return nil
}

// After is stack.Caller's.
func (noop) After() error { return nil }
