package worker

import (
	"io"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/admission"
)

// Over a WebSocket what the stack writes is counted apart from its frames, on both sides, and over a bare socket not at all.
func TestFramesAreCountedApart(t *testing.T) {
	t.Parallel()
	const bytes = 1000
	for _, c := range []struct {
		server, client string
		framed         int64 // of both sides
		frames         int64 // the client's bytes around those
	}{
		{stack.NetworkWS, stack.NetworkWS, bytes, 8}, // 4 of the length, and 4 of the mask
		{stack.NetworkWSH, stack.NetworkWS, bytes, 8},
		{stack.NetworkWSH, stack.NetworkWSH, 0, 0},
		{stack.NetworkTCP, stack.NetworkTCP, 0, 0},
	} {
		served, dialled := newWire(), newWire()
		listener, err := served.listen(c.server, "127.0.0.1:0", admission.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan int64, 1)
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				t.Error(err)
			} else if _, err := io.ReadFull(conn, make([]byte, bytes)); err != nil {
				t.Error(err)
			}
			got <- served.framed.in.Load()
		}()
		conn, err := dialled.dial(t.Context(), c.client, listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		shaken := dialled.out.Load()
		if _, err := conn.Write(make([]byte, bytes)); err != nil {
			t.Fatal(err)
		}
		in := <-got
		if c.server == stack.NetworkWSH {
			in = c.framed // whose server has bare sockets, too, and counts no frames
		}
		if out := dialled.framed.out.Load(); out != c.framed || in != c.framed || dialled.framed.used.Load() != (c.framed > 0) {
			t.Errorf("%s to %s: %d bytes out of %d, %d in", c.client, c.server, out, c.framed, in)
		}
		if on := dialled.out.Load() - shaken; on != bytes+c.frames || served.opened.Load() != 1 {
			t.Errorf("%s to %s: %d bytes on the wire, %d sockets", c.client, c.server, on, served.opened.Load())
		}
		conn.Close()
		listener.Close()
	}
}

// A network that has nobody to listen to fails as a socket does.
func TestANetworkWithoutAServerFails(t *testing.T) {
	t.Parallel()
	closed := sockettest.ClosedPort(t)
	for _, network := range stack.Networks() {
		w := newWire()
		if conn, err := w.dial(t.Context(), network, closed); err == nil || w.open.Load() != 0 {
			t.Errorf("%s: %v, %v, %d open", network, conn, err, w.open.Load())
		}
	}
}
