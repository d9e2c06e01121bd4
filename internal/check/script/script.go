// Package script gives a server a known behaviour, so that what is reported of it can be set beside what is true.
//
// Wrap takes any stack and returns one whose server obeys the option "script"; without it, it is the stack itself. Every
// protocol is scripted in the same three places, all outside of the stack: a call is held before the service sees it, the
// server's sockets hold back what has come, or all is answered by an error. Service is that of a queue reckoned in
// advance: when a call comes it is known when it must be released, so that a late release delays no other call.
//
// It knows the contract of a stack and nothing of any, and makes no claim about what a client should report: that is
// package truth's.
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
