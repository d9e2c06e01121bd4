package stacktest

import (
	"context"
	"fmt"
	"testing"

	"rpcbench/internal/stack"
)

// everyPoint makes calls of all kinds, concurrently, and counts the sockets.
func everyPoint(t *testing.T, s stack.Stack) {
	info := s.Info()
	for _, network := range info.Networks {
		for _, security := range info.Securities {
			for _, compression := range info.Compressions {
				t.Run(network+"/"+security+"/"+compression, func(t *testing.T) {
					t.Parallel()
					r := newRig(t, s, network, security, reply)
					for name, call := range calls(s, 1000, 1000, inFlight) {
						point(t, r, name, compression, call, inFlight, 2)
					}
					for name, call := range calls(s, 0, 0, 1) {
						point(t, r, name+", empty, one slot", compression, call, 1, 2)
					}
					if call, ok := calls(s, 100, 100, windowInFlight)["window"]; ok {
						point(t, r, "window of 64", compression, call, windowInFlight, 1)
					}
				})
			}
		}
	}
}

// point makes some calls on every slot of a new connection.
func point(t *testing.T, r *rig, name, compression string, call stack.Call, slots, rounds int) {
	t.Helper()
	before := r.dialled.Load()
	conn := r.dial(compression, slots)
	all := callers(t, conn, call, slots)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	for range rounds {
		for slot, err := range callAll(ctx, all) {
			if err != nil {
				t.Fatalf("%s: slot %d: %v", name, slot, err)
			}
		}
	}
	if got, want := r.dialled.Load()-before, sockets(r.stack, call, slots); got != want {
		t.Errorf("%s: %d sockets were opened, want %d", name, got, want)
	}
	if err := conn.Close(); err != nil {
		t.Errorf("%s: Close: %v", name, err)
	}
}

// sockets is how many sockets a connection has.
func sockets(s stack.Stack, call stack.Call, slots int) int64 {
	switch {
	case s.Info().Multiplexed:
		return 1
	case call.Kind == stack.KindPingPong:
		return int64(call.Streams)
	default:
		return int64(slots)
	}
}

// everySize makes calls whose replies are of the same size and of another.
func everySize(t *testing.T, s stack.Stack) {
	t.Parallel()
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
	sizes := []int{0, 1, 1000, 100_000, 1_000_000 / shrink}
	for i, request := range sizes {
		for _, response := range []int{request, sizes[(i+1)%len(sizes)]} {
			for name, call := range calls(s, request, response, 2) {
				name = fmt.Sprintf("%s of %d and %d bytes", name, request, response)
				point(t, r, name, stack.CompressionNone, call, 2, 1)
			}
		}
	}
}
