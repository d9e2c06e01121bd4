// Package kernelclock times calls by the kernel's time stamps of packets, so that a client's own clock can be compared with
// a second one.
//
// Wrap takes a stack and returns one whose client obeys the option "kernel_clock": its sockets ask for time stamps
// (SO_TIMESTAMPING), and when one is closed, the Times of its calls are written to the file that the option names. A call is
// one write and the reads up to the next, so it works for unary calls with one slot per connection. It does not change what
// is sent, and judges nothing.
package kernelclock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"

	"rpcbench/internal/stack"
)

// Option is the name of the client's option that holds the path of the file.
const Option = "kernel_clock"

// A Time is the duration of one call.
type Time struct {
	// KernelNs is from when the request left the socket until the reply was in it, by the kernel's time stamps.
	KernelNs int64 `json:"kernel_ns"`
	// SocketNs is from the begin of the system call that wrote the request to the end of the one that read the reply.
	SocketNs int64 `json:"socket_ns"`
}

// Read reads the Times that a client has written, in the order of calls.
func Read(path string) ([]Time, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the kernel's time stamps: %w", err)
	}
	var times []Time
	if err := json.Unmarshal(text, &times); err != nil {
		return nil, fmt.Errorf("the kernel's time stamps: %w", err)
	}
	return times, nil
}

func write(path string, times []Time) error {
	text, err := json.Marshal(times)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// Wrap returns s with a client that obeys the option.
func Wrap(s stack.Stack) stack.Stack { return timed{s} }

type timed struct{ stack.Stack }

// Info is stack.Stack's.
func (s timed) Info() stack.Info {
	info := s.Stack.Info()
	if info.Calls {
		const help = "File for the times of calls by the kernel's time stamps."
		info.Options = append(slices.Clip(info.Options), stack.Option{Name: Option, Help: help, Client: true})
	}
	return info
}

// Dial is stack.Stack's.
func (s timed) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	path, given := config.Options[Option]
	if !given {
		return s.Stack.Dial(ctx, config)
	}
	config.Options = without(config.Options, Option)
	dial := config.Dial
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		// The worker counts bytes above the socket, which another one may take the place of.
		if outer, ok := conn.(interface {
			Rebase(replace func(net.Conn) (net.Conn, error)) error
		}); ok {
			err = outer.Rebase(func(c net.Conn) (net.Conn, error) { return stamp(c, path) })
			if err != nil {
				return nil, errors.Join(err, conn.Close())
			}
			return conn, nil
		}
		stamped, err := stamp(conn, path)
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		return stamped, nil
	}
	return s.Stack.Dial(ctx, config)
}

func without(options map[string]string, name string) map[string]string {
	rest := maps.Clone(options)
	delete(rest, name)
	return rest
}
