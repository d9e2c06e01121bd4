// Package server runs a user's server as a child process, once for each trial: it starts a command in its own process group,
// waits until an address accepts connections, and ends the group so that nothing of it is left.
//
// The command is a list of words, not a shell's line. The package knows nothing of what the server serves. Every wait is
// bounded.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"rpcbench/internal/run/child"
	"rpcbench/internal/run/leash"
)

const (
	// freePatience limits the time for which a server's address may stay in use after its end.
	freePatience = 5 * time.Second
	// retryPause is the interval between two checks of an address.
	retryPause = 20 * time.Millisecond
	// dialPatience bounds one look.
	dialPatience = time.Second
	// leashPatience limits the time for the leash to kill its processes.
	leashPatience = 2 * time.Second
)

// An Address is where a server listens.
type Address struct {
	Network string // tcp or unix
	Text    string // host:port, or a path
}

func (a Address) String() string { return a.Text }

// Accepts reports whether the address accepts connections.
func (a Address) Accepts(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, a.Network, a.Text)
	if err != nil {
		return false
	}
	_ = conn.Close() // it said all that was asked
	return true
}

// A Server is a running command. Stop ends it.
type Server struct {
	name  string
	child *child.Child
	held  io.Closer // its input; kept, as its end is for the server to notice, or for the leash
	leash bool
}

// Start runs words, of which the first is a program, with its output written to the log. The name is for sentences. through
// is the command that runs others on a leash; nil is none. more is added to this process's environment, unless it is "".
// When the server has ended, all that it printed is in the log.
func Start(name string, through, words []string, more string, log io.Writer) (*Server, error) {
	all := slices.Concat(through, words)
	command := exec.Command(all[0], all[1:]...)
	if more != "" {
		command.Env = append(os.Environ(), more)
	}
	command.Stdout, command.Stderr = log, log
	held, err := command.StdinPipe() // which ends with this process
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	started, err := child.Start(command, nil)
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	return &Server{name: name, child: started, held: held, leash: len(through) > 0}, nil
}

// A SilentError says that a server ran for all of the time that it had, and did not listen.
type SilentError struct{ error }

// Await waits until the address accepts connections: patience at most, after which its error is a *SilentError, and no longer
// than the server runs.
func (s *Server) Await(ctx context.Context, at Address, patience time.Duration) error {
	over := time.NewTimer(patience)
	defer over.Stop()
	look := time.NewTicker(retryPause)
	defer look.Stop()
	for !at.Accepts(ctx) {
		select {
		case <-s.child.Ended():
			return s.Ended()
		case <-over.C:
			return &SilentError{fmt.Errorf("%s did not listen on %s within %v", s.name, at, patience)}
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-look.C:
		}
	}
	return s.Ended()
}

// PID is the ID of the started process: the server or the leash.
func (s *Server) PID() int { return s.child.PID() }

// Over is closed when the server has ended.
func (s *Server) Over() <-chan struct{} { return s.child.Ended() }

// Ended says that the server ended by itself; nil while it runs.
func (s *Server) Ended() error {
	select {
	case <-s.child.Ended():
	default:
		return nil
	}
	return fmt.Errorf("%s exited unexpectedly with %s", s.name, how(s.child.Wait()))
}

// how says how a program ended that was run by itself or on a leash.
func how(end error) string {
	exit, ok := errors.AsType[*exec.ExitError](end)
	switch {
	case end == nil:
		return "exit code 0"
	case !ok:
		return end.Error()
	}
	if signal, ok := leash.Signal(exit.ExitCode()); ok {
		return "signal: " + signal.String()
	}
	return end.Error()
}

// AwaitEnd waits until the server has ended by itself: patience at most.
func (s *Server) AwaitEnd(patience time.Duration) { s.child.EndsWithin(patience) }

// Stop asks the server's process group to end, kills it when its patience is over, and waits until the address is free.
func (s *Server) Stop(at Address, patience time.Duration) error {
	s.child.Ask()
	if !s.child.EndsWithin(patience) {
		s.Kill()
	}
	_ = s.child.Wait() // how it ended is known to who asks
	return s.awaitFree(at)
}

// Kill kills all processes of the server at once, through the leash, which knows those that have left the group. A stopped leash
// is killed with the group.
func (s *Server) Kill() {
	if s.leash {
		_ = s.held.Close() // once is enough
		s.child.EndsWithin(leashPatience)
	}
	s.child.Kill()
}

func (s *Server) awaitFree(at Address) error {
	for end := time.Now().Add(freePatience); at.Accepts(context.Background()); time.Sleep(retryPause) {
		if time.Now().After(end) {
			return fmt.Errorf("%s is still in use %v after %s was killed: a process may have left its process group", at,
				freePatience, s.name)
		}
	}
	if info, err := os.Lstat(at.Text); at.Network == "unix" && err == nil && info.Mode()&os.ModeSocket != 0 {
		_ = os.Remove(at.Text) // what a killed server leaves behind would keep the next from listening
	}
	return nil
}

// FreePort returns a TCP port of the loopback interface that is not in use now.
func FreePort() (int, error) {
	address, err := FreePortOf("127.0.0.1")
	if err != nil {
		return 0, err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(port)
}

// Free ports are taken from these, as systems give others to outgoing connections and to programs that ask for any port: one
// of those could take a port after it was found free and before a server listens on it. Linux gives 32768 to 60999, macOS and
// Windows 49152 to 65535 (RFC 6335, 6); Kubernetes' own are 30000 to 32767.
const (
	firstPort = 20_000
	ports     = 10_000
)

// attempts at a port that is free.
const attempts = 100

// FreePortOf returns host:port with a TCP port that is not in use now on a host of this machine.
func FreePortOf(name string) (string, error) {
	at, err := net.ResolveTCPAddr("tcp", net.JoinHostPort(name, "0"))
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	for range attempts {
		at.Port = firstPort + rand.IntN(ports)
		if free(at) == nil {
			return at.String(), nil
		}
	}
	return "", fmt.Errorf("find a free port: none of %d from %d on: %w", ports, firstPort, free(at))
}

// free returns why a port is not.
func free(at *net.TCPAddr) error {
	listener, err := net.ListenTCP("tcp", at)
	if err != nil {
		return err
	}
	return listener.Close()
}
