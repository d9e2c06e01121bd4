package archive

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// stillPatience is how long nothing may come from a server or go to it.
const stillPatience = 2 * time.Minute

// errStandsStill is why a request ended that moved no longer.
var errStandsStill = fmt.Errorf("the server stands still: nothing was received or sent for %v", stillPatience)

// stillness ends a request whose server stands still, however long the request takes. It is the body of the answer, and counts
// no time in which nobody reads that.
type stillness struct {
	server string
	ctx    context.Context //nolint:containedctx // which ends with the body
	cancel context.CancelCauseFunc
	body   io.ReadCloser // of the answer, once there is one

	mu    sync.Mutex
	timer *time.Timer
	ended bool // no more of the request goes out
}

// watch begins to wait for a server, which is named.
func watch(ctx context.Context, server string) (context.Context, *stillness) {
	s := &stillness{server: server}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	s.timer = time.AfterFunc(stillPatience, func() { s.cancel(errStandsStill) })
	return s.ctx, s
}

// moved begins to wait anew.
func (s *stillness) moved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.timer.Reset(stillPatience)
	}
}

// rest waits for nothing, until the answer is read.
func (s *stillness) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.timer.Stop()
}

// from is the body of the request; nil where there is none.
func (s *stillness) from(body io.Reader) io.Reader {
	if body == nil {
		return nil
	}
	return sent{body, s}
}

// sent is the body of a request, which is read as it goes.
type sent struct {
	from  io.Reader
	still *stillness
}

// Read implements io.Reader.
func (s sent) Read(b []byte) (int, error) {
	s.still.moved()
	n, err := s.from.Read(b)
	s.still.moved()
	return n, err
}

// Read implements io.Reader.
func (s *stillness) Read(b []byte) (int, error) {
	s.timer.Reset(stillPatience)
	defer s.timer.Stop()
	n, err := s.body.Read(b)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, s.orWhy(err)
}

// Close implements io.Closer.
func (s *stillness) Close() error {
	s.rest()
	s.cancel(nil)
	if s.body == nil {
		return nil
	}
	return s.body.Close()
}

// orWhy says that the server stands still where that ended the request.
func (s *stillness) orWhy(err error) error {
	if context.Cause(s.ctx) == errStandsStill { //nolint:errorlint // as it was given
		return fmt.Errorf("%s: %w", s.server, errStandsStill)
	}
	return err
}
