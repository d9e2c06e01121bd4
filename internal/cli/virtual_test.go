package cli_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// virtual is a program of its own that hosts the stack virtual: a worker whose time is virtual, so that what verbs make of
// long trials is tested in no time and comes out the same on every machine. A call takes 1 ms, or what the file says that
// VIRTUAL_CALL names; with more than virtualCarried calls a second offered it takes ten times that.
func virtual() {
	w := &virtualWorker{events: control.NewEventWriter(os.Stdout)}
	err := w.events.Write(&control.Hello{Protocol: control.Version, Runtime: "none", Processors: 1, Stacks: []*control.StackInfo{{
		Name: "virtual", Protocol: stack.ProtocolGRPC, Library: "none", Serves: true, Calls: true, Multiplexed: true,
		Kinds: []string{stack.KindUnary, stack.KindPingPong}, Networks: []string{stack.NetworkTCP, stack.NetworkUnix},
		Securities: []string{stack.SecurityPlaintext}, Compressions: []string{stack.CompressionNone},
	}}})
	for commands := control.NewCommandReader(os.Stdin); err == nil; {
		var command *control.Command
		if command, err = commands.Read(); err == nil {
			err = w.obey(command)
		}
	}
	if !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// What is so of virtual calls.
const (
	virtualCarried   = 1000 // calls a second
	virtualClientCPU = 100 * time.Microsecond
	virtualServerCPU = 5 * time.Second // of a server, from one Mark to the next
)

type virtualWorker struct {
	events *control.EventWriter
	slots  int64            // of a client
	usage  control.Snapshot // so far
}

func (w *virtualWorker) obey(command *control.Command) error {
	switch c := control.Unwrap(command).(type) {
	case *control.Serve:
		return w.events.Write(&control.Serving{Address: "nowhere:1"})
	case *control.Connect:
		w.slots = int64(c.GetConnections()) * int64(c.GetInFlight())
		return w.events.Write(&control.Connected{Sockets: c.GetConnections()})
	case *control.Mark:
		if w.slots == 0 {
			w.usage.CpuUserNs += int64(virtualServerCPU)
		}
		return w.events.Write(&control.Snapshot{TimeNs: w.usage.TimeNs, CpuUserNs: w.usage.CpuUserNs})
	case *control.Begin:
		return w.phase(c)
	case *control.Stop:
		return nil // what is reckoned at once is over
	default:
		return w.events.Write(&control.Fault{Field: "command", Message: "nothing virtual answers it"})
	}
}

// phase reports what a phase comes to.
func (w *virtualWorker) phase(b *control.Begin) error {
	takes, perSec, err := w.calls(b.GetLoad())
	if err != nil {
		return err
	}
	calls, lasts := b.GetCalls(), b.GetDurationNs()
	if calls == 0 {
		calls = int64(perSec * float64(lasts) / 1e9)
	} else {
		lasts = int64(float64(calls) / perSec * 1e9)
	}
	if err := w.report(calls, lasts); err != nil {
		return err
	}
	responses := record.NewHistogram()
	if err := responses.RecordValues(int64(takes), calls); err != nil {
		return err
	}
	encoded, err := record.Encode(responses)
	if err != nil {
		return err
	}
	w.usage.TimeNs += lasts
	w.usage.CpuUserNs += calls * int64(virtualClientCPU)
	return w.events.Write(&control.Done{
		Phase: b.GetPhase(), ElapsedNs: lasts, Arrivals: calls,
		Outcomes:   []*control.Outcome{{Code: result.CodeOK, Calls: calls}},
		Histograms: []*control.Histogram{{Name: result.HistResponse, V2Compressed: encoded}},
	})
}

// calls says what a call takes under a load, and how many there are a second.
func (w *virtualWorker) calls(load *control.Load) (takes time.Duration, perSec float64, err error) {
	takes = time.Millisecond
	if file := os.Getenv("VIRTUAL_CALL"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, 0, err
		}
		if takes, err = time.ParseDuration(string(text)); err != nil {
			return 0, 0, err
		}
	}
	perSec = load.GetPerSec()
	switch {
	case load.GetArrivals() == plan.LoadClosed:
		perSec = min(float64(w.slots)/takes.Seconds(), virtualCarried)
	case perSec > virtualCarried:
		takes *= 10
	}
	return takes, perSec, nil
}

// report sends the intervals of a phase, a tenth of a second each.
func (w *virtualWorker) report(calls, lasts int64) error {
	const each = int64(100 * time.Millisecond)
	sent := int64(0)
	for from := int64(0); from < lasts; from += each {
		to := min(from+each, lasts)
		by := int64(float64(calls) * float64(to) / float64(lasts))
		if err := w.events.Write(&control.Interval{StartNs: from, EndNs: to, Ok: by - sent}); err != nil {
			return err
		}
		sent = by
	}
	return nil
}
