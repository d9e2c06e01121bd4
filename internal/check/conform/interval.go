package conform

import (
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

const (
	intervalLength = 100 * time.Millisecond
	intervalWindow = 2200 * time.Millisecond
	maxWindows     = 2
)

// intervals checks that the Intervals and windows of a phase agree with its Done.
func intervals(r *rig) (string, error) {
	begin := openFor(control.LoadConstant, constantPerSec, intervalWindow)
	begin.Windows = maxWindows
	p, err := r.paced(shape{1, 4}, begin)
	if err != nil {
		return "", err
	}
	if err := checkTotals(p); err != nil {
		return "", err
	}
	windows, err := checkWindows(p.done)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d intervals, %d windows", len(p.intervals), windows), nil
}

// checkTotals checks sums, that each interval begins where the last ended, and that quantiles are of a second at most.
func checkTotals(p paced) error {
	var sum totals
	for n, i := range p.intervals {
		if err := sum.add(i); err != nil {
			return fmt.Errorf("interval %d %w", n+1, err)
		}
	}
	all := outcomes(p.done)["OK"]
	switch {
	case sum.ok != all || sum.ok+sum.errors != p.done.GetArrivals():
		return fmt.Errorf("the intervals have %d OK and %d errors, done has %s", sum.ok, sum.errors, describe(p.done))
	case sum.samples != p.done.GetArrivals():
		return fmt.Errorf("the quantiles are of %d calls, %d were made", sum.samples, p.done.GetArrivals())
	}
	return nil
}

// totals holds the sums of a phase's intervals so far.
type totals struct{ ok, errors, samples, end, quantilesEnd int64 }

func (t *totals) add(i *control.Interval) error {
	t.ok, t.errors = t.ok+i.GetOk(), t.errors+i.GetErrors()
	if i.GetStartNs() != t.end || i.GetEndNs() < i.GetStartNs() {
		return fmt.Errorf("goes from %d ns to %d ns, the one before ended at %d", i.GetStartNs(), i.GetEndNs(), t.end)
	}
	t.end = i.GetEndNs()
	if mean := time.Duration(i.GetResponseMeanNs()); mean < 0 || mean > 0 && i.GetOk() == 0 || mean > time.Hour {
		return fmt.Errorf("has %d OK calls with a mean response of %v", i.GetOk(), mean)
	}
	q := i.GetResponse()
	if q == nil {
		if since := t.end - t.quantilesEnd; since >= int64(time.Second) {
			return fmt.Errorf("has no quantiles, %v after the last that has", time.Duration(since))
		}
		return nil
	}
	t.quantilesEnd, t.samples = t.end, t.samples+q.GetCalls()
	if ns := []int64{1, q.GetP50Ns(), q.GetP90Ns(), q.GetP99Ns(), q.GetMaxNs()}; q.GetCalls() > 0 && !slices.IsSorted(ns) {
		return fmt.Errorf("has quantiles that are not in order: %v", q)
	}
	return nil
}

// maxEventBytes is more than an Interval with its histogram takes, or a Done without windows, of a phase of any length.
const maxEventBytes = 1 << 20

// intervalHistograms checks that requested intervals have histograms, which match their quantiles and add up to the phase's, and
// that Done repeats none of them: what a worker keeps and sends at once does not grow with the phase.
func intervalHistograms(r *rig) (string, error) {
	begin := openFor(control.LoadConstant, constantPerSec, intervalWindow)
	begin.IntervalHistograms = true
	p, err := r.paced(shape{1, 4}, begin)
	if err != nil {
		return "", err
	}
	sum, n := record.NewHistogram(), 0
	for _, i := range p.intervals {
		if size := proto.Size(i); size > maxEventBytes {
			return "", fmt.Errorf("an interval has %d bytes, want %d at most", size, maxEventBytes)
		}
		if i.GetResponse() == nil {
			continue
		}
		h, err := decode(i.GetResponseHistogram())
		if err != nil {
			return "", fmt.Errorf("an interval's histogram: %w", err)
		}
		q := i.GetResponse()
		if h.TotalCount() != q.GetCalls() || record.Quantile(h, .5) != q.GetP50Ns() {
			return "", fmt.Errorf("an interval's histogram has %d calls with a p50 of %d ns, its quantiles %v",
				h.TotalCount(), record.Quantile(h, .5), q)
		}
		sum.Merge(h)
		n++
	}
	if windows := len(p.done.GetWindows()); windows > 0 {
		return "", fmt.Errorf("done has %d windows, where begin.windows is 0", windows)
	}
	all, err := decodeAll(p.done)
	if err == nil && !all["response"].Equals(sum) {
		err = fmt.Errorf("the intervals' histograms have %d calls, the phase's %d, or others",
			sum.TotalCount(), all["response"].TotalCount())
	}
	return fmt.Sprintf("%d histograms make up the phase's", n), err
}

// maxIntervalLateness is half an interval.
const maxIntervalLateness = intervalLength / 2

// intervalsLate measures by how much the longest interval is longer than it should be.
func intervalsLate(r *rig) (lateness, error) {
	p, err := r.paced(shape{1, 4}, openFor(control.LoadConstant, constantPerSec, intervalWindow))
	if err != nil {
		return lateness{}, err
	}
	var longest time.Duration
	for _, i := range p.intervals {
		longest = max(longest, time.Duration(i.GetEndNs()-i.GetStartNs()))
	}
	return lateness{longest - intervalLength, fmt.Sprintf("the longest of %d intervals", len(p.intervals))}, nil
}

func checkWindows(done *control.Done) (int, error) {
	windows := done.GetWindows()
	if len(windows) == 0 || len(windows) > maxWindows {
		return 0, fmt.Errorf("done has %d windows, want 1 to %d", len(windows), maxWindows)
	}
	var calls, end int64
	for _, w := range windows {
		h, err := decode(w.GetResponse())
		if err != nil {
			return 0, fmt.Errorf("a window's histogram: %w", err)
		}
		if w.GetStartNs() != end || w.GetEndNs() <= w.GetStartNs() {
			return 0, fmt.Errorf("a window goes from %d ns to %d ns, the one before ended at %d",
				w.GetStartNs(), w.GetEndNs(), end)
		}
		end = w.GetEndNs()
		calls += h.TotalCount()
	}
	if calls != done.GetArrivals() {
		return 0, fmt.Errorf("the windows have %d calls, done has %d", calls, done.GetArrivals())
	}
	return len(windows), nil
}

// marks checks that the counters of a Snapshot never decrease, on either side.
func marks(r *rig) (string, error) {
	client, server, err := r.both(unary(shape{2, 2}))
	if err != nil {
		return "", err
	}
	var last [2]*control.Snapshot
	for range 3 {
		if _, err := r.phase(client, closedCalls(100)); err != nil {
			return "", err
		}
		for i, c := range []*party{client, server} {
			now, err := c.Mark(r.ctx)
			if err != nil {
				return "", err
			}
			if err := checkGrowth(last[i], now); err != nil {
				return "", err
			}
			last[i] = now
		}
	}
	cpu := time.Duration(last[0].GetCpuUserNs() + last[0].GetCpuSystemNs())
	return fmt.Sprintf("client: %v CPU, %d MB", cpu.Round(time.Millisecond), last[0].GetPeakMemoryBytes()/1e6), nil
}

// growing are the counts of a Snapshot since the start; one that is true can't stay as it is while calls are made.
var growing = map[string]bool{
	"time_ns": true, "cpu_user_ns": false, "cpu_system_ns": false, "peak_memory_bytes": false, "sockets": false,
	"bytes_out": true, "bytes_in": true, "allocations": false, "allocated_bytes": false, "gc_cycles": false,
	"gc_pause_ns": false, "voluntary_switches": false, "involuntary_switches": false,
	"compiler_cpu_ns": false, "compilations": false, "safepoint_sync_ns": false, "safepoints": false,
}

// checkGrowth compares two snapshots of one worker; before is nil for the first. A count that is absent is unknown, and
// not 0; one that is known stays known.
func checkGrowth(before, now *control.Snapshot) error {
	fields := now.ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		moves, counts := growing[string(field.Name())]
		if !counts {
			continue
		}
		value := func(s *control.Snapshot) (count int64, told bool) { // of no snapshot it is 0
			message := s.ProtoReflect()
			return message.Get(field).Int(), !field.HasPresence() || message.Has(field)
		}
		was, known := value(before)
		is, told := value(now)
		switch {
		case known && !told:
			return fmt.Errorf("snapshot.%s was %d, and is absent after more calls", field.Name(), was)
		case told && (is < was || moves && is == was):
			return fmt.Errorf("snapshot.%s went from %d to %d while calls were made", field.Name(), was, is)
		}
	}
	if now.GetCpuUserNs()+now.GetCpuSystemNs() == 0 || now.GetPeakMemoryBytes() == 0 || now.GetSockets() == 0 {
		return fmt.Errorf("CPU, memory or sockets are 0 after calls: %v", now)
	}
	return nil
}
