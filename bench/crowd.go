package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// childCrowd is workers that measure nothing: each connection to its socket is one, and says what a worker with a load would.
func childCrowd(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("a crowd needs a socket, not %q", args)
	}
	listener, err := net.Listen("unix", args[0])
	if err != nil {
		return err
	}
	go func() {
		for n := uint64(0); ; n++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go extra(conn, n)
		}
	}()
	fmt.Fprintln(os.Stdout, "ready")
	_, err = io.Copy(io.Discard, os.Stdin) // until its parent ends
	return err
}

// crowdCalls is the number of calls that an extra reports for each interval.
const crowdCalls = 1000

// extra is one worker of the crowd.
func extra(conn net.Conn, seed uint64) {
	defer conn.Close()
	events := control.NewEventWriter(conn)
	err := events.Write(&control.Hello{Protocol: control.Version, Runtime: "none", Processors: 1, Stacks: []*control.StackInfo{{
		Name: "crowd", Protocol: stack.ProtocolTCP, Library: "none", Calls: true, Kinds: []string{stack.KindUnary},
		Networks: []string{stack.NetworkTCP}, Securities: []string{stack.SecurityPlaintext},
		Compressions: []string{stack.CompressionNone},
	}}})
	random := rand.New(rand.NewPCG(seed, 0))
	for commands := control.NewCommandReader(conn); err == nil; {
		var command *control.Command
		if command, err = commands.Read(); err == nil {
			err = obey(events, control.Unwrap(command), random)
		}
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) {
		fmt.Fprintln(os.Stderr, "crowd:", err)
	}
}

func obey(events *control.EventWriter, command any, random *rand.Rand) error {
	switch c := command.(type) {
	case *control.Connect:
		return events.Write(&control.Connected{Sockets: c.GetConnections()})
	case *control.Mark:
		return events.Write(&control.Snapshot{TimeNs: time.Now().UnixNano()})
	case *control.Begin:
		return pretend(events, c, random)
	default:
		return nil
	}
}

// pretend reports a phase in real time: intervals, every tenth with a second's percentiles, and at the end a histogram and a
// window for each second.
func pretend(events *control.EventWriter, b *control.Begin, random *rand.Rand) error {
	const each = 100 * time.Millisecond
	n := int(b.GetDurationNs() / each.Nanoseconds())
	ticker := time.NewTicker(each)
	defer ticker.Stop()
	whole, second := record.NewHistogram(), record.NewHistogram()
	done := &control.Done{Phase: b.GetPhase(), ElapsedNs: b.GetDurationNs(), WindowNs: b.GetDurationNs()}
	for i := range n {
		<-ticker.C
		for range crowdCalls / 10 {
			ns := int64(300e3 * math.Exp(random.NormFloat64()/2))
			if err := errors.Join(second.RecordValues(ns, 10), whole.RecordValues(ns, 10)); err != nil {
				return err
			}
		}
		interval := &control.Interval{
			StartNs: int64(i) * each.Nanoseconds(), EndNs: int64(i+1) * each.Nanoseconds(), Ok: crowdCalls, InFlight: 10,
		}
		if i%10 == 9 {
			q := record.QuantilesOf(second)
			interval.Response = &control.Quantiles{Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max}
			if b.GetIntervalHistograms() {
				var err error
				if interval.ResponseHistogram, err = record.Encode(second); err != nil {
					return err
				}
			}
			second.Reset()
		}
		if err := events.Write(interval); err != nil {
			return err
		}
	}
	encoded, err := record.Encode(whole)
	if err != nil {
		return err
	}
	done.Arrivals = int64(n) * crowdCalls
	done.Outcomes = []*control.Outcome{{Code: result.CodeOK, Calls: done.Arrivals}}
	done.Histograms = []*control.Histogram{{Name: result.HistResponse, V2Compressed: encoded}}
	return events.Write(done)
}
