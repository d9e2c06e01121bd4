package control_test

import (
	"io"
	"slices"
	"testing"

	"rpcbench/internal/worker/control"
)

func TestRelayCarriesTheLinkThereAndTheAddressesBack(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		command, err := commands.Read()
		if err != nil {
			t.Error(err)
			return
		}
		relay, _ := control.Unwrap(command).(*control.Relay)
		if relay.GetRttNs() != 5 || len(relay.GetHops()) != 1 || relay.GetHops()[0].GetTarget() != "there" {
			t.Errorf("the worker was told %v", command)
		}
		_ = events.Write(&control.Relaying{Addresses: []string{"here"}})
	})
	relaying, err := s.Relay(t.Context(), &control.Relay{RttNs: 5, Hops: []*control.Hop{{Target: "there"}}})
	if err != nil || !slices.Equal(relaying.GetAddresses(), []string{"here"}) {
		t.Errorf("%v, %v", relaying, err)
	}
}

func TestAnotherAnswerToRelayIsNamed(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		if _, err := commands.Read(); err == nil {
			_ = events.Write(&control.Serving{})
		}
	})
	_, err := s.Relay(t.Context(), &control.Relay{})
	wantError(t, err, "Event_Serving instead of Relaying")
}
