package plan

import (
	"time"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// expand makes the Specs of a case's product, without stack, server and protocol. Keys that the kind can't have stay
// zero.
func expand(c scenario.Case) []Spec {
	specs := []Spec{{
		Kind:         c.Kind,
		DrainNs:      c.Drain.Nanoseconds(),
		WarmupNs:     c.Warmup.Least.Nanoseconds(),
		WarmupMostNs: c.Warmup.Most.Nanoseconds(),
		DurationNs:   c.Duration.Nanoseconds(),
		Calls:        c.Calls,
		SampleNs:     c.Sample.Nanoseconds(),
	}}
	specs = cross(specs, c.Batches, func(s *Spec, n int) { s.Batch = n })
	specs = cross(specs, c.RequestBytes, func(s *Spec, n int) { s.RequestBytes, s.ResponseBytes = n, n })
	specs = cross(specs, c.ResponseBytes, func(s *Spec, n int) { s.ResponseBytes = n })
	specs = cross(specs, c.Messages, func(s *Spec, n int) { s.Messages = n })
	specs = cross(specs, c.Shapes, setShape)
	specs = cross(specs, c.Streams, func(s *Spec, n int) { s.Streams = n })
	specs = cross(specs, c.ServerCounts, setServers)
	specs = cross(specs, c.Loads, func(s *Spec, a scenario.Arrivals) { s.Load, s.OfferedPerSec = a.Process, a.PerSec })
	specs = cross(specs, c.Securities, func(s *Spec, name string) { s.Security = name })
	specs = cross(specs, c.Networks, func(s *Spec, name string) { s.Network = name })
	specs = cross(specs, c.Links, setLink)
	specs = cross(specs, c.Compressions, func(s *Spec, name string) { s.Compression = name })
	specs = cross(specs, c.Payloads, func(s *Spec, name string) { s.Payload = name })
	specs = cross(specs, c.ClientCPUs, func(s *Spec, list string) { s.ClientCPUs = list })
	specs = cross(specs, c.ServerCPUs, func(s *Spec, list string) { s.ServerCPUs = list })
	specs = cross(specs, c.Backgrounds, setBackground)
	specs = cross(specs, c.Deadlines, func(s *Spec, d time.Duration) { s.DeadlineNs = d.Nanoseconds() })
	specs = cross(specs, c.Options, func(s *Spec, options map[string]string) { s.Options = options })
	specs = cross(specs, c.JVMOptions, func(s *Spec, options string) { s.JVMOptions = options })
	specs = cross(specs, c.CodecMessages, func(s *Spec, name string) { s.Message = name })
	specs = cross(specs, c.Codecs, func(s *Spec, name string) { s.Codec = name })
	return specs
}

func setShape(s *Spec, shape scenario.Shape) {
	s.Connections, s.InFlight = shape.Connections, shape.InFlight
	if stack.SharesStreams(s.Kind) {
		s.Streams = shape.InFlight
	}
}

// setServers writes one server as none, as it was before there could be several.
func setServers(s *Spec, n int) {
	s.Servers = 0
	if n > 1 {
		s.Servers = n
	}
}

func setLink(s *Spec, l scenario.Link) {
	s.Link = nil
	if l != (scenario.Link{}) {
		s.Link = &Link{l.Name, l.RTT.Nanoseconds(), l.Jitter.Nanoseconds(), l.UpPerSec, l.DownPerSec}
	}
}

func setBackground(s *Spec, b scenario.Background) {
	s.Background = nil
	if b.Kind != "" {
		s.Background = &Background{b.Kind, b.RequestBytes, b.ResponseBytes, b.Messages}
	}
}

// cross makes every Spec once for each value. An axis without values changes nothing.
func cross[T any](specs []Spec, values []T, set func(*Spec, T)) []Spec {
	if len(values) == 0 {
		return specs
	}
	crossed := make([]Spec, 0, len(specs)*len(values))
	for _, spec := range specs {
		for _, value := range values {
			next := spec
			set(&next, value)
			crossed = append(crossed, next)
		}
	}
	return crossed
}

// size counts the product of a case's axes, its pairs of stacks included, up to TrialsMax+1.
func size(c scenario.Case, pairs int) int {
	product := pairs
	for _, values := range []int{len(c.Batches), len(c.RequestBytes), len(c.ResponseBytes), len(c.Messages),
		len(c.Shapes), len(c.Streams), len(c.ServerCounts), len(c.Loads), len(c.Securities), len(c.Networks),
		len(c.Links), len(c.Compressions), len(c.Payloads), len(c.ClientCPUs), len(c.ServerCPUs), len(c.Backgrounds),
		len(c.Deadlines), len(c.Options), len(c.JVMOptions), len(c.CodecMessages), len(c.Codecs)} {
		product = min(product*max(values, 1), TrialsMax+1)
	}
	return product
}
