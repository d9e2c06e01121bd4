package browser

import (
	"errors"
	"io"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"rpcbench/internal/run/launch"
)

const (
	// writePatience is how long a browser may take to receive a command. A sleeping one never does.
	writePatience = 10 * time.Second
	// closePatience is how long it may take to close its end.
	closePatience = 5 * time.Second
)

// A process is a script in a browser, for one trial.
type process struct {
	conn   *websocket.Conn
	host   launch.Host
	events *io.PipeReader
	ended  chan struct{}
	err    error // set before ended is closed

	mu     sync.Mutex
	closed bool // no command follows
	killed bool
}

// begin takes a worker that has connected.
func begin(conn *websocket.Conn, host launch.Host) *process {
	events, out := io.Pipe()
	p := &process{conn: conn, host: host, events: events, ended: make(chan struct{})}
	go func() {
		p.err = p.explain(pump(conn, out))
		_ = out.Close()
		_ = conn.Close()
		close(p.ended)
	}()
	return p
}

// pump passes on what the browser sends, until it sends nothing more.
func pump(conn *websocket.Conn, out io.Writer) error {
	for {
		_, message, err := conn.NextReader()
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, message); err != nil {
			return err
		}
	}
}

// explain says how the process ended.
func (p *process) explain(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.killed:
		return &launch.KilledError{Err: errors.New("the connection to the browser was cut")}
	case p.closed:
		return nil
	case websocket.IsCloseError(err, websocket.CloseGoingAway, websocket.CloseNormalClosure, websocket.CloseNoStatusReceived):
		return errors.New("the page was closed or left")
	default:
		return errors.New("the connection to the browser broke: it sleeps, or has lost its network")
	}
}

// Read implements launch.Process.
func (p *process) Read(b []byte) (int, error) { return p.events.Read(b) }

// Write implements launch.Process.
func (p *process) Write(b []byte) (int, error) {
	if err := p.conn.SetWriteDeadline(time.Now().Add(writePatience)); err != nil {
		return 0, err
	}
	if err := p.conn.WriteMessage(websocket.BinaryMessage, b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Close implements launch.Process: the script ends when the WebSocket does.
func (p *process) Close() error {
	p.mu.Lock()
	was := p.closed
	p.closed = true
	p.mu.Unlock()
	if was {
		return nil
	}
	until := time.Now().Add(closePatience)
	_ = p.conn.SetReadDeadline(until) // of a browser that sleeps the end is not awaited
	return p.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), until)
}

// Host implements launch.Process.
func (p *process) Host() launch.Host { return p.host }

// LastWords implements launch.Process: a script's output is in the browser's console.
func (p *process) LastWords() string { return "" }

// Kill implements launch.Process.
func (p *process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
	default:
		p.killed = true
		_ = p.events.CloseWithError(errCut)
		_ = p.conn.Close()
	}
}

// errCut is returned when the connection is no longer read.
var errCut = errors.New("the connection was cut")

// Wait implements launch.Process.
func (p *process) Wait() error {
	<-p.ended
	return p.err
}
