package conform

import (
	"errors"
	"fmt"
	"slices"

	"rpcbench/internal/stack"
)

// websocketCases are of calls in WebSockets, and of servers that take bare sockets too.
func websocketCases(p pair) []Case {
	var cases []Case
	over := func(name, server, client string) {
		s := ofKind(stack.KindUnary)
		s.network = server
		cases = append(cases, Case{Name: "unary, " + name, run: func(r *rig) (string, error) { return r.overWebSocket(s, client) }})
	}
	if slices.Contains(p.networks, stack.NetworkWS) {
		over("ws", stack.NetworkWS, stack.NetworkWS)
	}
	if slices.Contains(p.networks, stack.NetworkWSH) {
		over("wsh", stack.NetworkWSH, stack.NetworkWSH)
	}
	if slices.Contains(p.networks, stack.NetworkWS) && slices.Contains(p.networks, stack.NetworkWSH) {
		over("ws to a port of wsh", stack.NetworkWSH, stack.NetworkWS)
	}
	return cases
}

// overWebSocket is counted for a server and a client whose networks may differ. Frames are longer than their contents.
func (r *rig) overWebSocket(s setup, network string) (string, error) {
	client, server, err := r.served(&s)
	if err != nil {
		return "", err
	}
	s.network = network
	detail, err := r.countedBetween(client, server, s)
	if err != nil {
		return detail, err
	}
	mark, err := client.Mark(r.ctx)
	if err != nil {
		return detail, err
	}
	framed := mark.FramedBytesOut != nil || mark.FramedBytesIn != nil
	switch {
	case !framed:
		return detail, nil
	case network != stack.NetworkWS:
		return detail, errors.New("framed bytes are known of a client that has a bare socket; they must be absent")
	case mark.GetFramedBytesOut() <= 0 || mark.GetFramedBytesOut() >= mark.GetBytesOut() ||
		mark.GetFramedBytesIn() <= 0 || mark.GetFramedBytesIn() >= mark.GetBytesIn():
		return detail, fmt.Errorf("%d and %d bytes are in frames that have %d and %d", mark.GetFramedBytesOut(),
			mark.GetFramedBytesIn(), mark.GetBytesOut(), mark.GetBytesIn())
	}
	return fmt.Sprintf("%s, %d and %d of them in frames", detail, mark.GetFramedBytesOut(), mark.GetFramedBytesIn()), nil
}
