// Package script gives a server a known behavior, so that reported figures can be compared with true ones.
//
// Wrap takes any stack and returns one whose server obeys the option "script"; without the option, it is the stack itself.
// Every protocol is scripted in the same three places, all outside the stack: a call is held before the service sees it,
// the server's sockets hold back what has arrived, or every call is answered by an error. Service is the time in a queue
// that is computed in advance: when a call arrives, the time of its release is known, so a late release delays no other
// call.
//
// It knows only the contract of stacks, and makes no claim about what a client should report: that is in package truth.
package script

import (
	"context"
	"crypto/tls"
	"maps"
	"slices"

	"rpcbench/internal/stack"
)

// Option is the name of the server's option that holds the script.
const Option = "script"

// help describes the syntax of a script.
const help = "What the server does, instead of answering at once: fixed TIME, exponential TIME seed N of CALLS, " +
	"slow TIME every N else TIME, step TIME to TIME after TIME, drop every N, fail, pause TIME every TIME, freeze TIME after TIME."

// Wrap returns s with a server that obeys scripts.
func Wrap(s stack.Stack) stack.Stack { return scripted{s} }

type scripted struct{ stack.Stack }

// Info is stack.Stack's.
func (s scripted) Info() stack.Info {
	info := s.Stack.Info()
	if info.Serves {
		info.Options = append(slices.Clip(info.Options), stack.Option{Name: Option, Help: help, Server: true})
	}
	return info
}

// Serve is stack.Stack's.
func (s scripted) Serve(config stack.ServeConfig) (stack.Server, error) {
	text, given := config.Options[Option]
	if !given {
		return s.Stack.Serve(config)
	}
	script, err := Parse(text)
	if err != nil {
		return nil, stack.Errorf(stack.InvalidArgument, "option %s: %w", Option, err)
	}
	config.Options = maps.Clone(config.Options)
	delete(config.Options, Option)
	if script.fails {
		return serveFailures(config, s.Stack.Info())
	}
	return s.serve(config, script)
}

// serve serves with calls and sockets that are held as the script says.
func (s scripted) serve(config stack.ServeConfig, script Script) (stack.Server, error) {
	stopped, stop := context.WithCancel(context.Background())
	if script.gate != nil {
		config.Listener = &gatedListener{Listener: config.Listener, gate: script.gate, stopped: stopped.Done()}
	}
	if script.line != nil {
		config.Authorize = holding(config.Authorize, script.line, stopped.Done())
	}
	inner, err := s.Stack.Serve(config)
	if err != nil {
		stop()
		return nil, err
	}
	return &server{inner, stop}, nil
}

// A server lets go of all that it holds when it is stopped.
type server struct {
	stack.Server

	release func()
}

// Stop is stack.Server's.
func (s *server) Stop(ctx context.Context) error {
	s.release()
	return s.Server.Stop(ctx)
}

// holding returns an Authorize that first asks ask, if it is not nil, and then holds the call.
func holding(ask func(tls.ConnectionState) error, l *line, stopped <-chan struct{}) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		if ask != nil {
			if err := ask(state); err != nil {
				return err
			}
		}
		return l.hold(stopped)
	}
}
