package conform

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/scratch"
)

// sessionsVariable names, for a worker that can hold several sessions in one process, the Unix socket on which it listens before
// it sends Hello: each connection is a session with its own role, like the one on its pipe.
const sessionsVariable = "RPCBENCH_SESSIONS"

// ErrNoSessions is returned by New if processes are to be shared and the worker can't hold several sessions in one.
var ErrNoSessions = errors.New("does not listen where " + sessionsVariable + " says, so its processes can't be shared")

// A sharing starts sessions of the worker under test in few processes, for cases that don't judge processes. The sessions of a
// case go to different processes, so client and server report separate processes.
type sharing struct {
	command   []string
	temporary *scratch.Dir

	mu      sync.Mutex
	current [sharedProcesses]*shared
	all     []*shared
}

// sharedProcesses is the number of processes at a time: one for clients, one for servers.
const sharedProcesses = 2

// A shared is a process that holds sessions.
type shared struct {
	*party
	folder, socket string
}

// newSharing starts the first processes.
func newSharing(ctx context.Context, config Config) (*sharing, error) {
	s := &sharing{command: config.Command, temporary: config.Temporary}
	for i := range s.current {
		if _, err := s.process(ctx, i); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	return s, nil
}

// process returns the process of an index, which it starts where there is none.
func (s *sharing) process(ctx context.Context, index int) (*shared, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current[index] != nil {
		return s.current[index], nil
	}
	folder, err := s.temporary.Folder()
	if err != nil {
		return nil, fmt.Errorf("make a folder for the socket: %w", err)
	}
	made := &shared{folder: folder, socket: filepath.Join(folder, "s")}
	s.all = append(s.all, made)
	variables := []string{sessionsVariable + "=" + made.socket}
	made.party, err = startProgram(ctx, process.Program{Command: s.command, Variables: variables}, hangPatience)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(made.socket); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoSessions
	}
	s.current[index] = made
	return made, nil
}

// start starts a session in the process of an index.
func (s *sharing) start(ctx context.Context, index int, patience time.Duration) (*party, error) {
	in, err := s.process(ctx, index%sharedProcesses)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("unix", in.socket)
	if err != nil {
		return nil, fmt.Errorf("start a session: %w", in.explain(err))
	}
	w, err := launch.Open(ctx, &session{Conn: conn, in: in, ended: make(chan struct{})})
	if err != nil {
		return nil, fmt.Errorf("start a session: %w", err)
	}
	return &party{Worker: w, patience: patience}, nil
}

// spoil has later sessions start in new processes: a case failed, and may have left anything behind in these.
func (s *sharing) spoil() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.current[:])
}

// close ends all processes.
func (s *sharing) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var failed error
	for _, one := range s.all {
		if one.party != nil {
			failed = errors.Join(failed, one.end())
		}
		failed = errors.Join(failed, os.RemoveAll(one.folder))
	}
	return failed
}

// A session is a conversation that a shared process holds, seen as a process: its end is the end of the conversation.
type session struct {
	net.Conn

	in    *shared
	over  atomic.Bool
	ended chan struct{}
}

// Read reads events; after the last the session has ended.
func (s *session) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	if err != nil {
		s.end()
	}
	return n, err
}

func (s *session) end() {
	if !s.over.Swap(true) {
		_ = s.Conn.Close() // nothing is left to be sent
		close(s.ended)
	}
}

// Close ends the worker's input.
func (s *session) Close() error { return s.Conn.(*net.UnixConn).CloseWrite() }

// Host is this machine.
func (s *session) Host() launch.Host { return s.in.process.Host() }

// LastWords returns those of the process.
func (s *session) LastWords() string { return s.in.LastWords() }

// Kill breaks the conversation off.
func (s *session) Kill() { s.end() }

// Wait waits for the end.
func (s *session) Wait() error {
	<-s.ended
	return nil
}
