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

// Clients divide their phases into windows and intervals independently, at nearly the same times. A merged one is as long as the
// longest of those that they have at that time: one client may have stood still. A client whose load is over has none. Every
// piece goes to where its middle lies: nothing is lost, and nothing is counted twice.

// A piece is a time of a phase.
type piece struct{ startNs, endNs int64 }

// inCommon yields the merged pieces of clients, each with the parts of every client in it: at least one until the client's last.
// It yields nothing if one client has none.
func inCommon[T any](of [][]T, pieceOf func(T) piece) iter.Seq2[piece, [][]T] {
	return func(yield func(piece, [][]T) bool) {
		left, end := 0, int64(0)
		for _, one := range of {
			if len(one) == 0 {
				return
			}
			left, end = left+len(one), max(end, pieceOf(one[len(one)-1]).endNs)
		}
		rest := slices.Clone(of)
		for begun := int64(0); left > 0; {
			until, parts := nextParts(rest, pieceOf)
			for _, some := range parts {
				left -= len(some)
			}
			if left == 0 {
				until = end
			}
			if !yield(piece{begun, until}, parts) {
				return
			}
			begun = until
		}
	}
}

// nextParts takes the parts of the next merged piece from what is left of each client's, and returns when it ends.
func nextParts[T any](rest [][]T, pieceOf func(T) piece) (endNs int64, parts [][]T) {
	for _, one := range rest {
		if len(one) > 0 {
			endNs = max(endNs, pieceOf(one[0]).endNs)
		}
	}
	isWithin := func(p piece) bool { return (p.startNs+p.endNs)/2 < endNs }
	for i, one := range rest {
		n := min(1, len(one))
		for n < len(one) && isWithin(pieceOf(one[n])) {
			n++
		}
		parts, rest[i] = append(parts, one[:n]), one[n:]
	}
	return endNs, parts
}

// Windows yields the merged windows of a trial's clients, and none if one client has none. They are not kept: decoded, an hour of
// them takes a gigabyte.
func Windows(clients []result.Client) iter.Seq2[record.Window, error] {
	of := make([][]result.Window, len(clients))
	some := slices.ContainsFunc(clients, func(c result.Client) bool { return len(c.Windows) > 0 })
	for i, c := range clients {
		of[i] = c.Windows
		if whole := c.Histograms[result.HistResponse]; some && len(c.Windows) == 0 && whole != "" { // the only one is not kept
			of[i] = []result.Window{{EndNs: c.ElapsedNs, Response: whole}}
		}
	}
	return together(of)
}

// together yields one series of windows, merged from those of each client.
func together(of [][]result.Window) iter.Seq2[record.Window, error] {
	return func(yield func(record.Window, error) bool) {
		for p, parts := range inCommon(of, func(w result.Window) piece { return piece{w.StartNs, w.EndNs} }) {
			sum, err := mergedOf(slices.Concat(parts...))
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
	of, told := make([][]result.Interval, len(clients)), true
	for i, c := range clients {
		of[i], told = c.Intervals, told && !slices.ContainsFunc(c.Intervals, isSilent)
	}
	var merged []result.Interval
	for p, parts := range inCommon(of, func(i result.Interval) piece { return piece{i.StartNs, i.EndNs} }) {
		sum := result.Interval{StartNs: p.startNs, EndNs: p.endNs}
		for _, some := range parts {
			for _, one := range some {
				sum.OK, sum.Errors = sum.OK+one.OK, sum.Errors+one.Errors
			}
			if n := len(some); n > 0 {
				sum.InFlight += some[n-1].InFlight
			}
		}
		if told {
			sum.ResponseMeanNs = int64(math.Round(UsualResponse(slices.Concat(parts...))))
		}
		merged = append(merged, sum)
	}
	if len(merged) == 0 {
		return nil, nil
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
