package point

import (
	"math"
	"testing"
	"time"
)

func TestALinkProlongsTheOpeningOfConnectionsAndIdleStreams(t *testing.T) {
	t.Parallel()
	link := &Link{RTTNs: int64(45 * time.Millisecond)}
	for want, s := range map[time.Duration]Spec{
		0:                           {Connections: 2, IdleStreams: 500},
		270 * time.Millisecond:      {Connections: 2, Link: link},
		90_270 * time.Millisecond:   {Connections: 2, IdleStreams: 500, Link: link},
		math.MaxInt32 * time.Second: {Connections: 1e6, IdleStreams: IdleStreamsMax, Link: &Link{RTTNs: int64(time.Minute)}},
	} {
		if got := s.SetUp(); got != want {
			t.Errorf("%d idle streams on each of %d connections: %v, want %v", s.IdleStreams, s.Connections, got, want)
		}
	}
}
