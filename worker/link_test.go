package worker

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
)

// The context may end while the connection is dialed, before the socket is known that its end is to interrupt.
func TestACallWhoseContextEndsInTheDialReturns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		near, far := net.Pipe() // whose other end reads nothing
		defer far.Close()
		l := &link{turn: make(chan struct{}, 1)}
		l.dial = func(context.Context) (Conn, error) {
			cancel()
			<-l.expired
			l.keep(near)
			return &lineClient{near, bufio.NewReader(near), 100}, nil
		}
		if _, err := l.call(ctx, []byte("hello")); err == nil {
			t.Error("the call was answered by nobody")
		}
		if l.conn != nil {
			t.Error("the connection of a call that was left is used again")
		}
	})
}

// A reading is a connection that reads between calls, too, as that of net/http's client does.
type reading struct {
	socket net.Conn
	ended  chan error // of reading
	within func()     // what happens in a call
}

func (r *reading) Call(context.Context, []byte) ([]byte, error) {
	if r.within != nil {
		r.within()
	}
	return nil, nil
}

func (r *reading) Stream(context.Context) (ClientStream, error) { return r, nil }
func (r *reading) Send([]byte) error                            { return nil }
func (r *reading) CloseSend() error                             { return nil }
func (r *reading) Recv() ([]byte, error)                        { return nil, io.EOF }
func (r *reading) Close() error                                 { return r.socket.Close() }

func (r *reading) read() {
	_, err := r.socket.Read(make([]byte, 1))
	r.ended <- err
}

func readAhead(t *testing.T) (*link, *reading) {
	t.Helper()
	near, far := net.Pipe() // whose other end says nothing
	t.Cleanup(func() { near.Close(); far.Close() })
	r := &reading{socket: near, ended: make(chan error, 1)}
	l := &link{turn: make(chan struct{}, 1)}
	l.dial = func(context.Context) (Conn, error) {
		l.keep(near)
		return r, nil
	}
	return l, r
}

// A library that reads ahead would find its connection broken, and lose the next call.
func TestTheEndOfAContextAfterItsCallLeavesTheSocketAlone(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(l *link, ctx context.Context) error{
		"the first, of a certificate": func(l *link, ctx context.Context) error {
			l.unconfirmed.Store(true)
			return l.prepare(ctx)
		},
		"a dial": (*link).prepare,
		"a call": func(l *link, ctx context.Context) error {
			_, err := l.call(ctx, nil)
			return err
		},
		"a stream": func(l *link, ctx context.Context) error {
			s, err := l.stream(ctx)
			if err != nil {
				return err
			}
			_ = s.CloseSend() // it can't fail
			if _, err := s.Recv(); !errors.Is(err, io.EOF) {
				return err
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				l, r := readAhead(t)
				if err := do(l, ctx); err != nil {
					t.Fatal(err)
				}
				go r.read()
				cancel()
				synctest.Wait()
				select {
				case err := <-r.ended:
					t.Errorf("reading ahead ended: %v", err)
				default:
				}
				_ = r.Close() // or read goes on
			})
		})
	}
}

func TestACallThatIsAnsweredAsItsContextEndsLeavesTheSocketReadable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l, r := readAhead(t)
		r.within = func() {
			cancel()
			<-l.expired
		}
		if _, err := l.call(ctx, nil); err != nil {
			t.Fatal(err)
		}
		go r.read()
		synctest.Wait()
		select {
		case err := <-r.ended:
			t.Fatalf("reading ahead ended: %v", err)
		default:
		}
		// A call of the context that has ended must not wait.
		l.use(ctx)
		if err := <-r.ended; err == nil {
			t.Error("the read ended well")
		}
	})
}
