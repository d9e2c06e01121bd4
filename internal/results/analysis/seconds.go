package analysis

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// Clients divide their phases into windows and intervals independently, at nearly the same times. Merged ones follow the client
// with the fewest. Every piece of the others goes to where its middle lies: nothing is lost, and nothing is counted twice.

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

// Windows yields the merged windows of a trial's clients, and none if one client has none. They are not kept: decoded, an hour of
// them takes a gigabyte.
func Windows(clients []result.Client) iter.Seq2[record.Window, error] {
	of := make([][]result.Window, len(clients))
	for i, c := range clients {
		of[i] = c.Windows
	}
	return together(of)
}

// together yields one series of windows, merged from those of each client, as Windows does.
func together(of [][]result.Window) iter.Seq2[record.Window, error] {
	return func(yield func(record.Window, error) bool) {
		if len(of) == 0 {
			return
		}
		pieceOf := func(w result.Window) piece { return piece{w.StartNs, w.EndNs} }
		pieces, all := coarsest(of, pieceOf)
		if !all {
			return
		}
		rest := slices.Clone(of)
		for i, p := range pieces {
			var parts []result.Window
			for client := range rest {
				for len(rest[client]) > 0 && place(pieces, pieceOf(rest[client][0])) <= i {
					parts, rest[client] = append(parts, rest[client][0]), rest[client][1:]
				}
			}
			sum, err := mergedOf(parts)
			if !yield(record.Window{Start: time.Duration(p.startNs), End: time.Duration(p.endNs), Response: sum}, err) || err != nil {
				return
			}
		}
	}
}

// mergedOf adds windows to the first of them if that can hold everything that can be recorded: another worker's may be smaller.
func mergedOf(windows []result.Window) (*hdrhistogram.Histogram, error) {
	var sum *hdrhistogram.Histogram
	for _, w := range windows {
		h, err := result.DecodeHistogram(w.Response)
		if err != nil {
			return nil, fmt.Errorf("window at %d ns: %w", w.StartNs, err)
		}
		switch {
		case sum != nil:
			sum.Merge(h)
		case record.HasRoom(h):
			sum = h
		default:
			sum = record.NewHistogram()
			sum.Merge(h)
		}
	}
	if sum == nil {
		sum = record.NewHistogram()
	}
	return sum, nil
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
	logs, told := make([]float64, len(pieces)), true
	for _, intervals := range of {
		for i, one := range intervals {
			at := place(pieces, pieceOf(one))
			if one.OK > 0 {
				told = told && one.ResponseMeanNs > 0
				logs[at] += float64(one.OK) * math.Log(max(float64(one.ResponseMeanNs), 1))
			}
			merged[at].OK += one.OK
			merged[at].Errors += one.Errors
			if last := i+1 == len(intervals) || place(pieces, pieceOf(intervals[i+1])) > at; last {
				merged[at].InFlight += one.InFlight
			}
		}
	}
	for i := range merged {
		if told && merged[i].OK > 0 {
			merged[i].ResponseMeanNs = int64(math.Round(math.Exp(logs[i] / float64(merged[i].OK))))
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
	at := -1
	var sum *hdrhistogram.Histogram
	for second, err := range together(of) {
		if err != nil {
			return err
		}
		if next := endsIn(intervals, second); next != at {
			at, sum = next, second.Response
		} else { // several seconds end in one interval where somebody stood still
			sum.Merge(second.Response)
		}
		q := record.QuantilesOf(sum)
		intervals[at].Response = &result.Quantiles{Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max}
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
	windows := c.Windows
	for _, i := range c.Intervals {
		if i.Response == nil {
			continue
		}
		histogram := i.ResponseHistogram
		if histogram == "" && len(windows) > 0 && windows[0].EndNs == i.EndNs { // every second is kept as a window
			histogram, windows = windows[0].Response, windows[1:]
		}
		if histogram == "" {
			return nil, errors.New("an interval of one of several clients has no histogram")
		}
		seconds = append(seconds, result.Window{StartNs: begun, EndNs: i.EndNs, Response: histogram})
		begun = i.EndNs
	}
	return seconds, nil
}
