package point

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// All clients together do what the Spec says, and none has more than one connection or call more than another.
func TestClientsShareExactly(t *testing.T) {
	t.Parallel()
	for clients := 1; clients <= 5; clients++ {
		for connections := clients; connections < 12; connections++ {
			for calls := int64(clients); calls < 12; calls++ {
				s := Spec{Clients: clients, Connections: connections, Calls: calls, InFlight: 3, OfferedPerSec: 60}
				sum := Spec{InFlight: 3}
				for i := range clients {
					own := s.OfClient(i)
					if own.InFlight != 3 || own.ClientCount() != 1 || own.Connections < connections/clients || own.Calls < calls/int64(clients) {
						t.Errorf("client %d of %+v does %+v", i, s, own)
					}
					sum.Connections += own.Connections
					sum.Calls += own.Calls
					sum.OfferedPerSec += own.OfferedPerSec
				}
				sum.Clients = clients
				if diff := cmp.Diff(s, sum); diff != "" {
					t.Errorf("together (-want +got):\n%s", diff)
				}
			}
		}
	}
}

func TestAClientHasItsPartOfASchedule(t *testing.T) {
	t.Parallel()
	s := Spec{Clients: 4, Connections: 4, Schedule: &Schedule{Name: "line", Stages: []Stage{{From: 100, To: 200, LengthNs: 5}}}}
	want := &Schedule{Name: "line", Stages: []Stage{{From: 25, To: 50, LengthNs: 5}}}
	if diff := cmp.Diff(want, s.OfClient(3).Schedule); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClientsThatCannotShareAreRefused(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Spec){
		"clients: -1 is below the minimum of 1":                                 func(s *Spec) { s.Clients = -1 },
		"clients: 65 is above the limit of 64":                                  func(s *Spec) { s.Clients, s.Connections = 65, 65 },
		"clients: 2 share the connections, and each needs one: shape 1x1 has 1": func(s *Spec) { s.Clients = 2 },
		"clients: 3 share the calls, and each needs one: there are 2": func(s *Spec) {
			s.Clients, s.Connections, s.Calls, s.DurationNs = 3, 3, 2, 0
		},
		"clients: 2 can't share calls in flight that change: the 3 connections can't be divided by 2": func(s *Spec) {
			s.Clients, s.Connections = 2, 3
			s.Schedule = &Schedule{Name: "line", Stages: []Stage{{From: 1, To: 3, LengthNs: 1e9}}}
		},
	} {
		if err := base(change).Check(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	good := base(func(s *Spec) { s.Clients, s.Connections = 2, 3 })
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}
