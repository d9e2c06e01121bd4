package driver

import (
	"context"
	"time"
)

// tripsMeasured is the number of messages sent. The shortest of their round trips is the least delayed.
const tripsMeasured = 5

// measureTrips measures how long a message to each of several clients and its answer take, so that all can be told to begin
// at the same time. No two clocks are compared.
func (s *sides) measureTrips(ctx context.Context) error {
	if len(s.clients) == 1 {
		return nil
	}
	trips := make([]time.Duration, len(s.clients))
	err := s.eachClient(func(i int, client namedProcess) error {
		for n := range tripsMeasured {
			begun := s.Now()
			if _, err := client.Mark(ctx); err != nil {
				return err
			}
			if took := s.Now().Sub(begun); n == 0 || took < trips[i] {
				trips[i] = took
			}
		}
		s.evidence.Clients[i].RoundTripNs = trips[i].Nanoseconds()
		return nil
	})
	s.trips = trips
	return err
}

// wayTo returns how long a message to a client takes: half of the round trip.
func (s *sides) wayTo(client int) time.Duration {
	if client >= len(s.trips) {
		return 0
	}
	return s.trips[client] / 2
}
