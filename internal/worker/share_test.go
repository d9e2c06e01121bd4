package worker

import (
	"testing"

	"rpcbench/internal/worker/control"
)

// All slots of all clients on a host together hold no more than the part of its memory that replies may take.
func TestClientsOnOneHostShareItsMemory(t *testing.T) {
	t.Parallel()
	const memory = 1 << 30
	for here, want := range map[uint32]int{0: 1 << 20, 1: 1 << 20, 4: 256 << 10} {
		c := &control.Connect{Connections: 16, InFlight: 16, ClientsHere: here}
		if got := replyShare(memory, c); got != want {
			t.Errorf("%d clients: %d bytes a slot, want %d", here, got, want)
		}
	}
}
