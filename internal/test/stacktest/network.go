package stacktest

import (
	"context"
	"net"
	"path/filepath"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/websocket"
)

// listen listens on the rig's network.
func (r *rig) listen() (net.Listener, error) {
	switch r.network {
	case stack.NetworkInproc:
		return r.inproc.Listen("inproc:1")
	case stack.NetworkUnix:
		return net.Listen(r.network, filepath.Join(r.t.TempDir(), "s"))
	}
	sockets, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil || r.network == stack.NetworkTCP {
		return sockets, err
	}
	return websocket.Listen(sockets, r.network == stack.NetworkWSH), nil
}

// reach dials a place on the rig's network.
func (r *rig) reach(ctx context.Context, place string) (net.Conn, error) {
	if r.network == stack.NetworkInproc {
		return r.inproc.Dial(ctx, place)
	}
	return websocket.Dial(ctx, r.network, place)
}
