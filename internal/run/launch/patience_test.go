package launch_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
)

// A stubborn process goes on until it is killed, whatever it is told, and lives in virtual time.
type stubborn struct {
	io.Reader
	io.Writer

	out    *io.PipeWriter
	closed bool
	killed chan struct{}
	once   sync.Once
}

func newStubborn(t *testing.T, hello bool) *stubborn {
	t.Helper()
	in, out := io.Pipe()
	p := &stubborn{Reader: in, Writer: io.Discard, out: out, killed: make(chan struct{})}
	go func() {
		if hello {
			_ = control.NewEventWriter(out).Write(&control.Hello{Protocol: control.Version})
		}
		<-p.killed
		out.Close()
	}()
	return p
}

func (p *stubborn) Close() error      { p.closed = true; return nil }
func (p *stubborn) Host() launch.Host { return launch.Host{Address: "there"} }
func (p *stubborn) LastWords() string { return "never" }
func (p *stubborn) Kill()             { p.once.Do(func() { close(p.killed) }) }
func (p *stubborn) Wait() error {
	<-p.killed
	return &launch.KilledError{Err: errors.New("shot")}
}

// Launch is of the process itself.
func (p *stubborn) Launch(context.Context, launch.Order) (launch.Process, error) { return p, nil }

func TestAWorkerThatGoesOnIsKilledWhenPatienceIsOver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(*launch.Worker) error
		mute bool // its output has ended
		took time.Duration
		want string
	}{
		"close":              {(*launch.Worker).Close, false, 30 * time.Second, "the worker did not end within 30s and was killed"},
		"abort":              {(*launch.Worker).Abort, false, 100 * time.Millisecond, ""},
		"abort a silent one": {(*launch.Worker).Abort, true, 10*time.Second + 100*time.Millisecond, ""},
		"within": {
			func(w *launch.Worker) error { return w.CloseWithin(time.Hour) }, false, time.Hour, "within 1h0m0s and was killed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newStubborn(t, true)
				w, err := launch.Start(t.Context(), p, launch.Order{})
				if err != nil {
					t.Fatal(err)
				}
				if c.mute {
					p.out.Close()
				}
				if w.Host().Address != "there" || w.LastWords() != "never" {
					t.Errorf("host %v, last words %q", w.Host(), w.LastWords())
				}
				begun := time.Now()
				for range 2 { // the first counts
					if err := c.end(w); c.want == "" && err != nil {
						t.Error(err)
					} else if c.want != "" {
						wantError(t, err, c.want)
					}
				}
				if took := time.Since(begun); took != c.took || !p.closed {
					t.Errorf("it took %v, want %v; input closed %v", took, c.took, p.closed)
				}
			})
		})
	}
}

// A crash is a worker that takes its time to end after its output has ended.
type crash struct{ *stubborn }

func (c crash) Wait() error {
	time.Sleep(5 * time.Second)
	return errors.New("exit status 7")
}

func (c crash) Launch(context.Context, launch.Order) (launch.Process, error) { return c, nil }

func TestAWorkerThatIsEndingMaySayHow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newStubborn(t, true)
		defer p.Kill()
		w, err := launch.Start(t.Context(), crash{p}, launch.Order{})
		if err != nil {
			t.Fatal(err)
		}
		p.out.Close()
		wantError(t, w.Abort(), "exit status 7")
	})
}

func TestAWorkerThatSaysNoHelloIsGivenTwoMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, err := launch.Start(t.Context(), newStubborn(t, false), launch.Order{})
		wantError(t, err, "start a worker: the worker did not answer: 2m0s have passed")
		if lost, ok := errors.AsType[*launch.LostError](err); !ok || lost.LastWords != "never" {
			t.Errorf("%T, want a LostError with its last words", err)
		}
		if took := time.Since(begun); took != 2*time.Minute+100*time.Millisecond {
			t.Errorf("it took %v, want 2 minutes and what an aborted worker is given", took)
		}
	})
}
