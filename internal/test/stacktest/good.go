package stacktest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"rpcbench/internal/stack"
)

// everyPoint makes calls of all kinds, concurrently, and counts the sockets.
func everyPoint(t *testing.T, s stack.Stack) {
	info := s.Info()
	for _, network := range info.Networks {
		for _, security := range info.Securities {
			for _, compression := range info.Compressions {
				socket := network == stack.NetworkTCP || network == stack.NetworkUnix
				if !socket && (security == stack.SecurityMTLS || compression != info.Compressions[0]) {
					continue // what carries bytes that are encrypted carries these, too
				}
				t.Run(network+"/"+security+"/"+compression, func(t *testing.T) {
					t.Parallel()
					r := newRig(t, s, network, security, reply)
					for name, call := range calls(s, 1000, 1000, inFlight) {
						point(t, r, name, compression, call, inFlight, 2)
					}
					if network != info.Networks[0] || security != info.Securities[0] {
						return // what follows is above the connection, and takes most of the time
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
	dialled, sockets := r.dialled.Load(), r.newSockets()
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
	got, most := sockets.most.Load(), maxSockets(r.stack, call, slots)
	if got < 1 || got > most {
		t.Errorf("%s: %d sockets were open at once, want 1 to %d", name, got, most)
	}
	if n := r.dialled.Load() - dialled; rounds*slots >= manyCalls && n >= int64(rounds*slots) {
		t.Errorf("%s: %d sockets for %d calls: none is used again", name, n, rounds*slots)
	}
	if err := conn.Close(); err != nil {
		t.Errorf("%s: Close: %v", name, err)
	}
}

// maxSockets returns the maximum number of open sockets of a connection. A pool has fewer if calls were not quite simultaneous,
// and opens others later: net/http drops a connection whose writer has not run within 50 ms of the reply.
func maxSockets(s stack.Stack, call stack.Call, slots int) int64 {
	switch {
	case s.Info().Multiplexed:
		return 1
	case stack.SharesStreams(call.Kind):
		return int64(call.Streams)
	default:
		return 2 * int64(slots) // one that is given up may not be closed yet
	}
}

// manyCalls is enough for some calls to share a socket, however busy the machine is.
const manyCalls = 8

// everySize makes calls whose replies are of the same size and of another.
func everySize(t *testing.T, s stack.Stack) {
	t.Parallel()
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
	sizes := []int{0, 1, 1000, max(100_000, 1_000_000/shrink)} // the last is more than a window of HTTP/2 holds
	for i, request := range sizes {
		for _, response := range []int{request, sizes[(i+1)%len(sizes)]} {
			for name, call := range calls(s, request, response, 2) {
				name = fmt.Sprintf("%s of %d and %d bytes", name, request, response)
				point(t, r, name, stack.CompressionNone, call, 2, 1)
			}
		}
	}
}

// everyBatch makes calls of batches whose answers are of the same size as the operations and of another.
func everyBatch(t *testing.T, s stack.Stack) {
	t.Parallel()
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
	for _, n := range []int{1, 7, 1000 / shrink} {
		for _, size := range [][2]int{{0, 0}, {8, 8}, {8, 13}, {100, 0}} {
			for name, call := range withBatches(calls(s, size[0], size[1], inFlight), n) {
				if call.Batch > 0 {
					name = fmt.Sprintf("%s of %d and %d bytes", name, size[0], size[1])
					point(t, r, name, stack.CompressionNone, call, inFlight, 2)
				}
			}
		}
	}
}

// longBurst sends more at once than the flow control of HTTP/2 and the buffers of sockets hold.
func longBurst(t *testing.T, s stack.Stack) {
	t.Parallel()
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
	for _, batch := range []int{0, 10} {
		size := 100_000 / max(1, batch) // of a message 100 kB
		for name, call := range calls(s, size, size, 2) {
			if call.Kind == stack.KindBurst {
				call.Messages, call.Batch = 60/shrink, batch
				point(t, r, fmt.Sprintf("%s, batch %d", name, batch), stack.CompressionNone, call, 2, 2)
			}
		}
	}
}

// gzipShrinks finds that compressed calls put fewer bytes on the wire, both ways, and that others don't.
func gzipShrinks(t *testing.T, s stack.Stack) {
	t.Parallel()
	if !slices.Contains(s.Info().Compressions, stack.CompressionGzip) {
		t.Skip("it has no gzip")
	}
	const size = 20_000 // gzip leaves 16% of it
	out, in := unaryBytes(t, s, stack.CompressionNone, size)
	if out < size || in < size {
		t.Errorf("a plain call of %d bytes had %d bytes out and %d in: it was compressed", size, out, in)
	}
	out, in = unaryBytes(t, s, stack.CompressionGzip, size)
	if out > size/2 || in > size/2 {
		t.Errorf("a compressed call of %d bytes had %d bytes out and %d in", size, out, in)
	}
}

// unaryBytes returns the bytes on the wire of a first call.
func unaryBytes(t *testing.T, s stack.Stack, compression string, size int) (out, in int64) {
	t.Helper()
	r := newRig(t, s, stack.NetworkTCP, stack.SecurityPlaintext, reply)
	all := callers(t, r.dial(compression, 1), calls(s, size, size, 1)[stack.KindUnary], 1)
	wantAll(t, compression, callAll(t.Context(), all), stack.OK)
	return r.out.Load(), r.in.Load()
}
