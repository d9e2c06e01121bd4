package worker

import (
	"context"
	"net"
	"testing"

	"google.golang.org/protobuf/proto"

	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/control"
)

func TestTheFirstCallIsTheTimeBetweenItsPoints(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		dialled, resolved, connected, shaken, ready, begun, ended int64
		want                                                      *control.FirstCall
	}{
		"before the call": {
			10, 15, 25, 45, 75, 100, 170,
			&control.FirstCall{ResolveNs: 5, ConnectNs: 10, TlsNs: 20, ProtocolNs: 30, CallNs: 70},
		},
		"an address without TLS": {
			10, 0, 25, 0, 75, 100, 170,
			&control.FirstCall{ConnectNs: 15, ProtocolNs: 50, CallNs: 70},
		},
		"within the call": {
			10, 15, 25, 45, 0, 5, 170,
			&control.FirstCall{ResolveNs: 5, ConnectNs: 10, TlsNs: 20, CallNs: 125, InCall: true},
		},
		"not yet": {10, 15, 25, 45, 75, 100, 0, nil},
	} {
		var line timeline
		line.dialled.Store(c.dialled)
		line.resolved.Store(c.resolved)
		line.connected.Store(c.connected)
		line.shaken.Store(c.shaken)
		line.ready.Store(c.ready)
		first := &firstCall{timeline: &line}
		first.begun.Store(c.begun)
		first.ended.Store(c.ended)
		if got := first.take(); !proto.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
		if again := first.take(); again != nil {
			t.Errorf("%s: a second phase has it too: %v", what, again)
		}
	}
}

func TestTheFirstConnectionMarksItsPoints(t *testing.T) {
	t.Parallel()
	_, port, err := net.SplitHostPort(sockettest.Serve(t, func(net.Conn) {}))
	if err != nil {
		t.Fatal(err)
	}
	for host, named := range map[string]bool{"localhost": true, "127.0.0.1": false} {
		var w wire
		conn, err := w.dial(context.Background(), "tcp", net.JoinHostPort(host, port))
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
		dialled, resolved, connected := w.first.dialled.Load(), w.first.resolved.Load(), w.first.connected.Load()
		if dialled == 0 || connected < dialled || (resolved != 0) != named || named && (resolved < dialled || connected < resolved) {
			t.Errorf("%s: dialled at %d, resolved at %d, connected at %d", host, dialled, resolved, connected)
		}
	}
}
