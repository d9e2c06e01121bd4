package adb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"rpcbench/internal/run/launch"
)

// closePatience is how long the app may take to end its side of the socket.
const closePatience = 5 * time.Second

// A reached app has sent the first of its events.
type reached struct {
	*net.TCPConn

	events *bufio.Reader
}

// reach connects to the port that adb forwards, and waits for the app's first byte: Hello comes unasked.
func reach(ctx context.Context, port int) (*reached, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	events := bufio.NewReader(conn)
	_, err = events.Peek(1)
	if !stop() || err != nil {
		conn.Close()
		return nil, fmt.Errorf("the app sends nothing: %w", errors.Join(err, ctx.Err()))
	}
	return &reached{conn.(*net.TCPConn), events}, nil
}

// A process is the app while it is a side of a trial.
type process struct {
	app   *reached
	host  launch.Host
	leave func() // once it has ended; Wait waits for it

	mu     sync.Mutex
	closed bool // no command follows
	killed bool
	ended  chan struct{}
	err    error // set before ended is closed
	left   chan struct{}
}

func begin(app *reached, host launch.Host, leave func()) *process {
	return &process{app: app, host: host, leave: leave, ended: make(chan struct{}), left: make(chan struct{})}
}

// Read implements launch.Process. It is read to its end, which is the app's.
func (p *process) Read(b []byte) (int, error) {
	n, err := p.app.events.Read(b)
	if err == nil {
		return n, nil
	}
	p.end(err)
	return n, io.EOF
}

// end says how it ended, the first time.
func (p *process) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
		return
	default:
	}
	switch {
	case p.killed:
		p.err = &launch.KilledError{Err: errors.New("the connection to the phone was cut")}
	case !p.closed && errors.Is(err, io.EOF):
		p.err = errors.New("the app on the phone has ended, or adb has lost the phone")
	case !p.closed:
		p.err = fmt.Errorf("the connection to the phone broke: %w", err)
	}
	_ = p.app.Close()
	close(p.ended)
	go func() {
		defer close(p.left)
		p.leave() // which runs adb
	}()
}

// Write implements launch.Process.
func (p *process) Write(b []byte) (int, error) { return p.app.Write(b) }

// Close implements launch.Process: closing the socket ends the commands.
func (p *process) Close() error {
	p.mu.Lock()
	was := p.closed
	p.closed = true
	p.mu.Unlock()
	if was {
		return nil
	}
	_ = p.app.SetReadDeadline(time.Now().Add(closePatience)) // of a phone that is gone the end is not awaited
	if err := p.app.CloseWrite(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("the phone's socket: %w", err)
	}
	return nil
}

// Host implements launch.Process.
func (p *process) Host() launch.Host { return p.host }

// LastWords implements launch.Process: the app's output is in the phone's log, which adb logcat prints.
func (p *process) LastWords() string { return "" }

// Kill implements launch.Process: it cuts the connection. The next trial ends the app.
func (p *process) Kill() {
	p.mu.Lock()
	p.killed = true
	p.mu.Unlock()
	p.end(net.ErrClosed)
}

// Wait implements launch.Process.
func (p *process) Wait() error {
	<-p.ended
	<-p.left
	return p.err
}
