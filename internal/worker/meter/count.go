package meter

import (
	"time"

	"rpcbench/internal/worker/host"
)

// frequencyPeriod is how often the processors are asked how fast they run, which disturbs each for a moment.
const frequencyPeriod = time.Second

// counts are what the system has counted so far; what it does not is nil.
type counts struct{ throttled, heat, dropped *int64 }

func (m *Meter) count() (c counts) {
	if throttled, known := host.Throttled(m.root); known {
		c.throttled = new(throttled.Nanoseconds())
	}
	if times, known := host.HeatThrottles(m.processors); known {
		c.heat = new(times)
	}
	if packets, known := host.DroppedPackets(m.proc); known {
		c.dropped = new(packets)
	}
	return c
}

// since is by how much a count has grown. One that was less before, as of an interface that is gone, grew by nothing.
func since(before, now *int64) *int64 {
	if before == nil || now == nil {
		return nil
	}
	return new(max(*now-*before, 0))
}

// watchFrequency averages how fast the processors run until end, which returns nil where that is not known.
func (m *Meter) watchFrequency() (end func() *float64) {
	first, known := host.FrequencyMHz(m.processors)
	if !known {
		return func() *float64 { return nil }
	}
	over, average := make(chan struct{}), make(chan float64)
	go func() {
		ticker := time.NewTicker(frequencyPeriod)
		defer ticker.Stop()
		for sum, n := 0.0, 0.0; ; {
			select {
			case <-ticker.C:
			case <-over:
				if n == 0 {
					sum, n = first, 1
				}
				average <- sum / n
				return
			}
			if mhz, known := host.FrequencyMHz(m.processors); known {
				sum, n = sum+mhz, n+1
			}
		}
	}()
	return func() *float64 {
		close(over)
		return new(<-average)
	}
}
