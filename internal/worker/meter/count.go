package meter

import (
	"time"

	"rpcbench/internal/worker/host"
)

// frequencyPeriod is the interval of reading the processors' frequency, which briefly disturbs each of them.
const frequencyPeriod = time.Second

// counts are the system's counters; unknown ones are nil.
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

// since returns the growth of a count. A count that decreased, for example because an interface is gone, did not grow.
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
