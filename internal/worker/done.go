package worker

import (
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/cut"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

const (
	// closingMost is the longest wait for sockets that are being closed at the end of a phase.
	closingMost = 500 * time.Millisecond
	// closingStep is the time between two looks at them.
	closingStep = time.Millisecond
)

// conclude makes the Done of a phase, or the Fault that takes its place.
func (w *worker) conclude(c *control.Begin, tally load.Tally, recorder *record.Recorder, each []*record.Recorder) any {
	summary := recorder.Summary()
	if err := w.client.checkSockets(&w.wire.open, summary); err != nil {
		return &control.Fault{Field: err.Field, Message: err.Message}
	}
	done := &control.Done{
		Phase: c.GetPhase(), ElapsedNs: int64(tally.Elapsed), WindowNs: int64(tally.Window), Arrivals: tally.Arrivals,
		StoppedNs: int64(tally.Stopped), Clamped: summary.Clamped,
	}
	addOutcomes(done, summary)
	if err := w.client.addCarried(done, each); err != nil {
		return &control.Fault{Message: err.Error()}
	}
	w.wire.explain(done) // with the calls of each recipe, which addCarried adds
	done.Retries = w.client.retries()
	if w.client.first != nil {
		done.First = w.client.first.take()
	}
	if w.client.beside != nil {
		done.Background = w.client.beside.counted()
	}
	w.client.addMessageTimes(done, summary)
	if err := addHistograms(done, summary); err != nil {
		return &control.Fault{Message: err.Error()}
	}
	return done
}

// checkSockets refuses a result that was had with more sockets than asked for. One that is just being closed is none. Where no
// call was OK there is no result: a library that connects again and again to a server which ends its connections has old ones
// open, and the calls say why.
func (cl *client) checkSockets(sockets *atomic.Int64, s record.Summary) *control.FaultError {
	promised := int64(cl.connect.GetConnections())
	if !cl.info.Multiplexed {
		promised *= int64(cl.connect.GetInFlight())
	}
	isOK := func(o record.Outcome) bool { return stack.Code(o.Code) == stack.OK }
	if !slices.ContainsFunc(s.Outcomes, isOK) {
		return nil
	}
	for waited := time.Duration(0); sockets.Load() > promised && waited < closingMost; waited += closingStep {
		time.Sleep(closingStep)
	}
	open := sockets.Load()
	if open <= promised {
		return nil
	}
	why := ""
	if failed := slices.DeleteFunc(slices.Clone(s.Outcomes), isOK); len(failed) > 0 {
		why = "; the first call that failed said: " + failed[0].Example
	}
	return control.Faultf("connect.connections", "%s has %d open sockets, expected %d%s", cl.info.Name, open, promised, why)
}

// addOutcomes counts calls.
func addOutcomes(done *control.Done, s record.Summary) {
	add := func(code string, calls int64, example string) {
		if calls > 0 {
			done.Outcomes = append(done.Outcomes, &control.Outcome{Code: code, Calls: calls, Example: cut.Text(example)})
		}
	}
	for _, o := range s.Outcomes {
		add(stack.Code(o.Code).String(), o.Calls, o.Example)
	}
	add("UNSENT", s.Unsent, "")
	add("UNFINISHED", s.Unfinished, s.Waited)
}

// addMessageTimes adds times of messages within calls to the recorded ones.
func (cl *client) addMessageTimes(done *control.Done, summary record.Summary) {
	if cl.within == nil {
		return
	}
	times, clamped := cl.within.times.Take()
	maps.Copy(summary.Histograms, times)
	done.Clamped += clamped
}

// addHistograms writes the histograms in the order of their names, and the windows where there are several.
func addHistograms(done *control.Done, s record.Summary) error {
	for _, name := range slices.Sorted(maps.Keys(s.Histograms)) {
		data, err := record.Encode(s.Histograms[name])
		if err != nil {
			return err
		}
		done.Histograms = append(done.Histograms, &control.Histogram{Name: name, V2Compressed: data})
	}
	if len(s.Windows) < 2 {
		return nil // it would say the response again
	}
	for _, w := range s.Windows {
		data, err := record.Encode(w.Response)
		if err != nil {
			return err
		}
		done.Windows = append(done.Windows, &control.Window{StartNs: int64(w.Start), EndNs: int64(w.End), Response: data})
	}
	return nil
}
