package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// Clients on one host share its memory, and only the driver knows of all of them.
func TestAClientIsToldHowManyAreOnItsHost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for n, want := range map[int]uint32{1: 0, 3: 3} {
			players := make([]*player, n)
			for i := range players {
				players[i] = &player{}
			}
			spec := spec(0, 0, time.Second)
			spec.Clients, spec.Connections = n, n
			s := played(t, Config{Keys: &credential.Set{}}, spec, &player{}, players...)
			for i := range players {
				s.clients[i].Hello.Stacks = []*control.StackInfo{{}}
				connect, err := s.connect(i, []string{"there"})
				if got := connect.GetClientsHere(); err != nil || got != want {
					t.Errorf("client %d of %d was told %d, want %d (%v)", i, n, got, want, err)
				}
			}
		}
	})
}
