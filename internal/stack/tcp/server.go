package tcp

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"

	"rpcbench/internal/stack"
)

// acceptPause gives other sockets time to close, as in net/http.
const acceptPause = 5 * time.Millisecond

// A server runs a session for each socket.
type server struct {
	config   stack.ServeConfig
	from     *stack.Responder
	sessions sync.WaitGroup // and the accept loop

	mu       sync.Mutex
	open     map[*session]struct{}
	stopping bool
}

func serve(config stack.ServeConfig) *server {
	s := &server{config: config, from: stack.NewResponder(config), open: map[*session]struct{}{}}
	s.sessions.Go(s.accept)
	return s
}

func (s *server) accept() {
	for {
		socket, err := s.config.Listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // this socket's trouble, not the listener's: too many files, or gone already
			if s.isStopping() {
				return
			}
			time.Sleep(acceptPause)
			continue
		}
		if s.config.TLS != nil {
			socket = tls.Server(socket, s.config.TLS)
		}
		s.start(socket)
	}
}

func (s *server) start(socket net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		socket.Close()
		return
	}
	one := newSession(s, socket)
	s.open[one] = struct{}{}
	s.sessions.Go(func() {
		one.run()
		s.mu.Lock()
		delete(s.open, one)
		s.mu.Unlock()
	})
}

func (s *server) isStopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopping
}

// Stop is stack.Server's.
func (s *server) Stop(ctx context.Context) error {
	err := s.config.Listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	s.close(func(one *session) bool { return !one.busy.Load() })
	ended := make(chan struct{})
	go func() {
		s.sessions.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		s.close(func(*session) bool { return true })
		<-ended
	}
	return err
}

// close closes the sockets of the chosen sessions. The others end by themselves after their call.
func (s *server) close(chosen func(*session) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopping = true
	for one := range s.open {
		if chosen(one) {
			one.socket.Close()
		}
	}
}
