package analysis

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// Clients cut their phases into windows and intervals by themselves, at nearly the same times. What is merged is cut as the
// client has it that cut least, and every piece of the others goes where its middle lies: nothing is lost, and nothing is
// counted twice.

// A piece is a time of a phase.
type piece struct{ startNs, endNs int64 }

// coarsest returns the pieces of the client that has the fewest, and true where all have some.
func coarsest[T any](of [][]T, piece func(T) piece) (pieces []piece, all bool) {
	fewest := slices.MinFunc(of, func(a, b []T) int { return len(a) - len(b) })
	for _, one := range fewest {
		pieces = append(pieces, piece(one))
	}
	if len(pieces) == 0 {
		return nil, false
	}
	last := &pieces[len(pieces)-1]
	for _, others := range of {
		last.endNs = max(last.endNs, piece(others[len(others)-1]).endNs)
	}
	return pieces, true
}

// place returns in which of the pieces the middle of another lies.
func place(pieces []piece, other piece) int {
	middle := (other.startNs + other.endNs) / 2
	i := sort.Search(len(pieces), func(i int) bool { return middle < pieces[i].endNs })
	return min(i, len(pieces)-1)
}

// mergeWindows makes one series of windows of those of each client; none where a client has none.
func mergeWindows(of [][]result.Window) ([]record.Window, error) {
	pieceOf := func(w result.Window) piece { return piece{w.StartNs, w.EndNs} }
	pieces, all := coarsest(of, pieceOf)
	if !all {
		return nil, nil
	}
	merged := make([]record.Window, len(pieces))
	for i, p := range pieces {
		merged[i] = record.Window{Start: time.Duration(p.startNs), End: time.Duration(p.endNs), Response: record.NewHistogram()}
	}
	for _, windows := range of {
		for _, w := range windows {
			h, err := result.DecodeHistogram(w.Response)
			if err != nil {
				return nil, fmt.Errorf("window at %d ns: %w", w.StartNs, err)
			}
			merged[place(pieces, pieceOf(w))].Response.Merge(h)
		}
	}
	return merged, nil
}

// windowsOf merges the clients' windows.
func windowsOf(clients []result.Client) ([]result.Window, error) {
	of := make([][]result.Window, len(clients))
	for i, c := range clients {
		of[i] = c.Windows
	}
	merged, err := mergeWindows(of)
	if err != nil {
		return nil, err
	}
	var windows []result.Window
	for _, w := range merged {
		encoded, err := result.EncodeHistogram(w.Response)
		if err != nil {
			return nil, err
		}
		windows = append(windows, result.Window{StartNs: int64(w.Start), EndNs: int64(w.End), Response: encoded})
	}
	return windows, nil
}

// intervalsOf merges the clients' intervals, and the responses of their seconds.
func intervalsOf(clients []result.Client) ([]result.Interval, error) {
	of := make([][]result.Interval, len(clients))
	for i, c := range clients {
		of[i] = c.Intervals
	}
	pieceOf := func(i result.Interval) piece { return piece{i.StartNs, i.EndNs} }
	pieces, all := coarsest(of, pieceOf)
	if !all {
		return nil, nil
	}
	merged := make([]result.Interval, len(pieces))
	for i, p := range pieces {
		merged[i] = result.Interval{StartNs: p.startNs, EndNs: p.endNs}
	}
	for _, intervals := range of {
		for i, one := range intervals {
			at := place(pieces, pieceOf(one))
			merged[at].OK += one.OK
			merged[at].Errors += one.Errors
			if last := i+1 == len(intervals) || place(pieces, pieceOf(intervals[i+1])) > at; last {
				merged[at].InFlight += one.InFlight
			}
		}
	}
	return merged, addSeconds(merged, clients)
}

// addSeconds puts the responses of each second into the interval in which it ended.
func addSeconds(intervals []result.Interval, clients []result.Client) error {
	of := make([][]result.Window, len(clients))
	for i, c := range clients {
		var err error
		if of[i], err = secondsOf(c); err != nil {
			return err
		}
	}
	seconds, err := mergeWindows(of)
	if err != nil {
		return err
	}
	for i, s := range seconds {
		if i+1 < len(seconds) && endsIn(intervals, s) == endsIn(intervals, seconds[i+1]) {
			seconds[i+1].Response.Merge(s.Response) // intervals are longer than seconds: somebody stood still
			continue
		}
		q := record.QuantilesOf(s.Response)
		intervals[endsIn(intervals, s)].Response = &result.Quantiles{
			Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max,
		}
	}
	return nil
}

func endsIn(intervals []result.Interval, w record.Window) int {
	i := sort.Search(len(intervals), func(i int) bool { return int64(w.End) <= intervals[i].EndNs })
	return min(i, len(intervals)-1)
}

// secondsOf returns the parts of a client's phase that its quantiles are of.
func secondsOf(c result.Client) ([]result.Window, error) {
	var seconds []result.Window
	begun := int64(0)
	for _, i := range c.Intervals {
		if i.Response == nil {
			continue
		}
		if i.ResponseHistogram == "" {
			return nil, errors.New("an interval of one of several clients has no histogram")
		}
		seconds = append(seconds, result.Window{StartNs: begun, EndNs: i.EndNs, Response: i.ResponseHistogram})
		begun = i.EndNs
	}
	return seconds, nil
}
