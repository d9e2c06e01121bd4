package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// Together merges the records of a trial's clients into one, as of a single client that made all of their calls, except for its
// windows, which Windows merges on demand. Times count from each client's own begin, and clocks are never compared.
func Together(clients []result.Client) (result.Record, error) {
	if len(clients) == 0 {
		return result.Record{}, nil
	}
	sum := clients[0].Record
	sum.Windows = nil
	if len(clients) == 1 {
		return sum, nil
	}
	sum.Outcomes, sum.Mixed = slices.Clone(sum.Outcomes), nil
	for _, c := range clients[1:] {
		addCounts(&sum, c.Record)
	}
	var err error
	if sum.Histograms, err = histogramsOf(clients); err != nil {
		return sum, err
	}
	if sum.Intervals, err = intervalsOf(clients); err != nil {
		return sum, err
	}
	sum.Mixed, err = mixedOf(clients)
	return sum, err
}

// mixedOf merges each call of a mix.
func mixedOf(clients []result.Client) ([]result.Record, error) {
	if len(clients[0].Mixed) == 0 {
		return nil, nil
	}
	calls := make([]result.Record, len(clients[0].Mixed))
	for i := range calls {
		parts := make([]result.Client, len(clients))
		for j, c := range clients {
			parts[j].Record = partOf(c.Record, i)
		}
		var err error
		if calls[i], err = Together(parts); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

// addCounts adds the counts of another client. What only one of them can have, such as the first call, is taken from the first.
func addCounts(sum *result.Record, r result.Record) {
	addWindows(sum, &r)
	sum.ElapsedNs = max(sum.ElapsedNs, r.ElapsedNs)
	sum.StoppedNs = max(sum.StoppedNs, r.StoppedNs)
	sum.Arrivals += r.Arrivals
	sum.MessagesOut += r.MessagesOut
	sum.MessagesIn += r.MessagesIn
	sum.PayloadOut += r.PayloadOut
	sum.PayloadIn += r.PayloadIn
	sum.Clamped += r.Clamped
	sum.UnpairedReplies += r.UnpairedReplies
	sum.Retries = plus(sum.Retries, r.Retries)
	sum.First = cmp.Or(sum.First, r.First)
	sum.Codec = cmp.Or(sum.Codec, r.Codec)
	sum.Outcomes = addOutcomes(sum.Outcomes, r.Outcomes)
	sum.Background = addBackground(sum.Background, r.Background)
	sum.Warmup = longerWarmup(sum.Warmup, r.Warmup)
	sum.Stalled = earlierStall(sum.Stalled, r.Stalled)
}

func addOutcomes(sum, outcomes []result.Outcome) []result.Outcome {
	for _, o := range outcomes {
		i := slices.IndexFunc(sum, func(s result.Outcome) bool { return s.Code == o.Code })
		if i < 0 {
			sum = append(sum, o)
			continue
		}
		sum[i].Calls += o.Calls
		sum[i].Example = cmp.Or(sum[i].Example, o.Example)
	}
	return sum
}

func addBackground(a, b *result.Background) *result.Background {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return &result.Background{OK: a.OK + b.OK, Errors: a.Errors + b.Errors, Example: cmp.Or(a.Example, b.Example)}
}

// longerWarmup is how the warm-up of several clients went: as long as the longest, and steady where all were.
func longerWarmup(a, b *result.Warmup) *result.Warmup {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	sum := &result.Warmup{ElapsedNs: max(a.ElapsedNs, b.ElapsedNs)}
	if a.Steady != nil && b.Steady != nil {
		sum.Steady = new(*a.Steady && *b.Steady)
	}
	return sum
}

func earlierStall(a, b *result.Stalled) *result.Stalled {
	switch {
	case a == nil || b == nil:
		return cmp.Or(a, b)
	case a.Phase != b.Phase && b.Phase == result.PhaseWarmup, a.Phase == b.Phase && b.SinceNs < a.SinceNs:
		return b
	default:
		return a
	}
}

// histogramsOf merges the clients' histograms by their names.
func histogramsOf(clients []result.Client) (map[string]string, error) {
	sums := map[string]*hdrhistogram.Histogram{}
	for _, c := range clients {
		for name, encoded := range c.Histograms {
			h, err := result.DecodeHistogram(encoded)
			if err != nil {
				return nil, fmt.Errorf("histogram %s: %w", name, err)
			}
			if sums[name] == nil {
				sums[name] = record.NewHistogram()
			}
			sums[name].Merge(h)
		}
	}
	all := map[string]string{}
	for name, sum := range sums {
		encoded, err := result.EncodeHistogram(sum)
		if err != nil {
			return nil, err
		}
		all[name] = encoded
	}
	return all, nil
}

// sides adds up what several processes used. Their clocks are unrelated, so the time is the first one's. A figure that is unknown
// for one of them is unknown.
func sides(all []result.Side) result.Side {
	if len(all) == 0 {
		return result.Side{}
	}
	sum := all[0]
	for _, s := range all[1:] {
		sum.Begin, sum.End = addSnapshots(sum.Begin, s.Begin), addSnapshots(sum.End, s.End)
	}
	return sum
}

func addSnapshots(a, b *result.Snapshot) *result.Snapshot {
	if a == nil || b == nil {
		return nil
	}
	return &result.Snapshot{
		TimeNs:              a.TimeNs,
		CPUUserNs:           a.CPUUserNs + b.CPUUserNs,
		CPUSystemNs:         a.CPUSystemNs + b.CPUSystemNs,
		CPUUnknown:          a.CPUUnknown || b.CPUUnknown,
		PeakMemoryBytes:     a.PeakMemoryBytes + b.PeakMemoryBytes,
		Sockets:             a.Sockets + b.Sockets,
		BytesOut:            plus(a.BytesOut, b.BytesOut),
		BytesIn:             plus(a.BytesIn, b.BytesIn),
		FramedBytesOut:      plus(a.FramedBytesOut, b.FramedBytesOut),
		FramedBytesIn:       plus(a.FramedBytesIn, b.FramedBytesIn),
		Allocations:         plus(a.Allocations, b.Allocations),
		AllocatedBytes:      plus(a.AllocatedBytes, b.AllocatedBytes),
		GCCycles:            plus(a.GCCycles, b.GCCycles),
		GCPauseNs:           plus(a.GCPauseNs, b.GCPauseNs),
		PacerCPUNs:          plus(a.PacerCPUNs, b.PacerCPUNs),
		HeapBytes:           plus(a.HeapBytes, b.HeapBytes),
		HeapCommittedBytes:  plus(a.HeapCommittedBytes, b.HeapCommittedBytes),
		VoluntarySwitches:   plus(a.VoluntarySwitches, b.VoluntarySwitches),
		InvoluntarySwitches: plus(a.InvoluntarySwitches, b.InvoluntarySwitches),
		CompilerCPUNs:       plus(a.CompilerCPUNs, b.CompilerCPUNs),
		Compilations:        plus(a.Compilations, b.Compilations),
		SafepointSyncNs:     plus(a.SafepointSyncNs, b.SafepointSyncNs),
		Safepoints:          plus(a.Safepoints, b.Safepoints),
		SegmentsOut:         plus(a.SegmentsOut, b.SegmentsOut),
		SegmentsIn:          plus(a.SegmentsIn, b.SegmentsIn),
		Retransmits:         plus(a.Retransmits, b.Retransmits),
		ThrottledNs:         plus(a.ThrottledNs, b.ThrottledNs),
	}
}

func plus(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	return new(*a + *b)
}
