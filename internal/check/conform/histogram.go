package conform

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

type histogramsByName map[string]*hdrhistogram.Histogram

// decodeAll reads the histograms of a Done and checks their range.
func decodeAll(done *control.Done) (histogramsByName, error) {
	all := histogramsByName{}
	for _, h := range done.GetHistograms() {
		decoded, err := decode(h.GetV2Compressed())
		if err != nil {
			return nil, fmt.Errorf("histogram %q: %w", h.GetName(), err)
		}
		if all[h.GetName()] != nil {
			return nil, fmt.Errorf("there are two histograms %q", h.GetName())
		}
		all[h.GetName()] = decoded
	}
	if all["response"] == nil {
		return nil, errors.New("there is no histogram \"response\"")
	}
	if err := checkBounds(done, all["bound"]); err != nil {
		return nil, err
	}
	for _, name := range []string{"service", "wake", "queue"} {
		if all[name] == nil {
			all[name] = record.NewHistogram() // of a closed load; the histograms case tells which are due
		}
	}
	return all, nil
}

// checkBounds checks that what was never sent or answered is told apart from OK calls.
func checkBounds(done *control.Done, bounds *hdrhistogram.Histogram) error {
	codes := outcomes(done)
	lost, told := codes["UNSENT"]+codes["UNFINISHED"], int64(0)
	if bounds != nil {
		told = bounds.TotalCount()
	}
	if told != lost {
		return fmt.Errorf("histogram \"bound\" has %d calls, and %d were never sent or answered", told, lost)
	}
	return nil
}

func decode(data []byte) (*hdrhistogram.Histogram, error) {
	h, err := record.Decode(data)
	if err != nil {
		return nil, err
	}
	low, high, digits := h.LowestTrackableValue(), h.HighestTrackableValue(), h.SignificantFigures()
	if low != 1 || high != int64(time.Hour) || digits != 3 {
		return nil, fmt.Errorf("it goes from %d to %d with %d digits, want 1 ns to 1 h with 3", low, high, digits)
	}
	return h, nil
}

// histograms checks which ones exist, what they count, and that response = queue + wake + service.
func histograms(r *rig) (string, error) {
	client, _, err := r.tried(unary(shape{1, 4}))
	if err != nil {
		return "", err
	}
	done, err := r.phase(client, closedCalls(100))
	if err != nil {
		return "", err
	}
	if err := checkNames(done, "response"); err != nil {
		return "", fmt.Errorf("closed load: %w", err)
	}
	done, err = r.phase(client, openFor(control.LoadConstant, 400, 500*time.Millisecond))
	if err != nil {
		return "", err
	}
	if err := checkNames(done, "queue", "response", "service", "wake"); err != nil {
		return "", fmt.Errorf("open load: %w", err)
	}
	return checkParts(done)
}

func checkNames(done *control.Done, want ...string) error {
	if err := wantOutcome(done, stack.OK.String(), done.GetArrivals()); err != nil {
		return err
	}
	all, err := decodeAll(done)
	if err != nil {
		return err
	}
	var names []string
	for _, h := range done.GetHistograms() {
		names = append(names, h.GetName())
		if got := all[h.GetName()].TotalCount(); got != done.GetArrivals() {
			return fmt.Errorf("histogram %q has %d calls, want %d", h.GetName(), got, done.GetArrivals())
		}
	}
	if slices.Sort(names); !slices.Equal(names, want) {
		return fmt.Errorf("histograms are %v, want %v", names, want)
	}
	return nil
}

// checkParts compares means: they add up, to the three digits of a histogram.
func checkParts(done *control.Done) (string, error) {
	all, err := decodeAll(done)
	if err != nil {
		return "", err
	}
	sum := all["queue"].Mean() + all["wake"].Mean() + all["service"].Mean()
	response := all["response"].Mean()
	if math.Abs(response-sum) > response/100+float64(time.Microsecond) {
		return "", fmt.Errorf("the mean response is %v, but queue, wake and service make %v",
			time.Duration(response), time.Duration(sum))
	}
	return fmt.Sprintf("%d calls, 1 ns to 1 h, 3 digits", done.GetArrivals()), nil
}
