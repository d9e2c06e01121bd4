package floor

import (
	"context"
	"errors"
	"io"
	"net"
	"time"
)

// chunkBytes is the size of the writes that measure bandwidth: few of them fill a socket's buffer.
const chunkBytes = 256 << 10

// sparsePause lies between round trips that are made now and then.
const sparsePause = 5 * time.Millisecond

// loopback measures round trips, without a pause and with pauses, then bandwidth, on one connection each.
func (m machine) loopback(ctx context.Context, each time.Duration, f *Floor) error {
	err := m.over(ctx, each, echo, func(socket net.Conn, end time.Time) error {
		var err error
		f.RoundTripP50, f.RoundTripP99, err = m.roundTrips(socket, end, 0)
		return err
	})
	if err != nil {
		return err
	}
	err = m.over(ctx, each, echo, func(socket net.Conn, end time.Time) error {
		var err error
		f.SparseP50, _, err = m.roundTrips(socket, end, sparsePause)
		return err
	})
	if err != nil {
		return err
	}
	swallowed := func(socket net.Conn) {
		_, _ = io.CopyBuffer(blind{}, struct{ io.Reader }{socket}, make([]byte, chunkBytes))
	}
	return m.over(ctx, each, swallowed, func(socket net.Conn, end time.Time) error {
		var err error
		f.BytesPerSec, err = m.bandwidth(socket, end)
		return err
	})
}

// echo answers every byte until the other side ends.
func echo(socket net.Conn) {
	letter := make([]byte, 1)
	_ = alone(socket, func(own io.ReadWriter) error {
		for {
			if _, err := own.Read(letter); err != nil {
				return err
			}
			if _, err := own.Write(letter); err != nil {
				return err
			}
		}
	})
}

// blind is a Writer that has no other way to be written to.
type blind struct{}

func (blind) Write(p []byte) (int, error) { return len(p), nil }

// over has a peer answer one connection, for as long as it is used or ctx lasts.
func (m machine) over(ctx context.Context, each time.Duration, peer func(net.Conn), use func(net.Conn, time.Time) error) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if socket, err := listener.Accept(); err == nil {
			defer socket.Close()
			peer(socket)
		}
	}()
	socket, err := new(net.Dialer).DialContext(ctx, "tcp", listener.Addr().String())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer context.AfterFunc(ctx, func() { socket.Close() })()
	err = errors.Join(use(socket, m.now().Add(each)), socket.Close())
	<-ended
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (m machine) roundTrips(socket net.Conn, end time.Time, pause time.Duration) (p50, p99 time.Duration, err error) {
	var taken []time.Duration
	letter := make([]byte, 1)
	err = alone(socket, func(own io.ReadWriter) error {
		for m.now().Before(end) {
			if pause > 0 {
				m.nap(pause)
			}
			sent := m.now()
			if _, err := own.Write(letter); err != nil {
				return err
			}
			if _, err := own.Read(letter); err != nil {
				return err
			}
			taken = append(taken, m.now().Sub(sent))
		}
		return nil
	})
	return quantile(taken, .5), quantile(taken, .99), err
}

func (m machine) bandwidth(socket net.Conn, end time.Time) (bytesPerSec float64, err error) {
	chunk := make([]byte, chunkBytes)
	begun := m.now()
	sent := 0
	for m.now().Before(end) {
		n, err := socket.Write(chunk)
		if sent += n; err != nil {
			return 0, err
		}
	}
	return float64(sent) / m.now().Sub(begun).Seconds(), nil
}
