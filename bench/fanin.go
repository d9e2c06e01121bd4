package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/child"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

const (
	faninWorkers = 1000 // with ten intervals a second each
	faninRuns    = 3
	faninCores   = 1
	faninMB      = 1000
)

// faninBar makes one driver read a thousand workers and measures what that costs. The connections to workers on other hosts, such
// as an ssh process for each, are not included.
func faninBar(ctx context.Context, r *rig) ([]line, error) {
	socket := filepath.Join(r.folder, "crowd.sock")
	command := exec.Command(r.self, "child-crowd", socket)
	crowd, err := child.StartPiped(command, nil)
	if err != nil {
		return nil, err
	}
	defer func() { crowd.In.Close(); _ = crowd.Wait() }()
	if _, err := io.ReadFull(crowd.Out, make([]byte, len("ready\n"))); err != nil {
		return nil, err
	}
	var samples [4][]float64
	for range faninRuns {
		out, err := child.Run(ctx, exec.Command(r.self, "child-fanin", socket, strconv.Itoa(faninWorkers), r.duration.String(),
			filepath.Join(r.folder, "fanin.jsonl")), nil)
		if err != nil {
			return nil, err
		}
		var figures [4]float64
		if _, err := fmt.Sscan(out, &figures[0], &figures[1], &figures[2], &figures[3]); err != nil {
			return nil, err
		}
		for i, figure := range figures {
			samples[i] = append(samples[i], figure)
		}
	}
	of := func(i int) stat.Summary { return stat.Summarize(samples[i]) }
	return []line{
		atMost("driver of 1,000 workers", of(0), faninCores, "cores"),
		atMost("its memory", of(1), faninMB, "MB"),
		{name: "its results", measured: figure(of(2), 1, "MB a trial"), pass: true},
		{name: "their report", measured: figure(of(3), 1, "s of CPU"), pass: true},
	}, nil
}

// childFanin is the driver. It prints the cores that it used while the workers measured, its peak memory in MB, how many MB
// its results have, and how many seconds of processor time the report takes to merge these.
func childFanin(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("a driver needs a socket, a number of workers, a length and a file, not %q", args)
	}
	workers, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	length, err := time.ParseDuration(args[2])
	if err != nil {
		return err
	}
	spec := plan.Spec{
		Stack: "crowd", Protocol: stack.ProtocolTCP, Kind: stack.KindUnary, Target: "nowhere:1", RequestBytes: 1, ResponseBytes: 1,
		Connections: workers, InFlight: 10, Load: plan.LoadClosed, Security: stack.SecurityPlaintext, Network: stack.NetworkTCP,
		Compression: stack.CompressionNone, Payload: stack.PayloadRandom, DeadlineNs: 1e9, DrainNs: 1e9,
		DurationNs: length.Nanoseconds(), Clients: workers,
	}
	trial := plan.Trial{ID: "fanin", Repetition: 1, Spec: spec, Cases: []plan.Case{{Scenario: "fanin", Title: "fanin"}}}
	_ = os.Remove(args[3])
	writer, err := result.Create(args[3], result.Header{Format: result.Format, Version: result.Version})
	if err != nil {
		return err
	}
	found := &keeper{Writer: writer}
	meter := &selfMeter{}
	_, err = driver.Run(context.Background(), driver.Config{
		Trials: []plan.Trial{trial}, Launcher: dialled(args[0]), Results: found, Progress: silent{}, Now: time.Now, Meter: meter,
		Windows: 20,
	})
	if err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	peak := host.Self().PeakMemoryBytes
	return found.report(args[3], workers, meter.cores, float64(peak)/1e6)
}

// report merges the results. The report command can't read them, because no scenario may have so many clients.
func (k *keeper) report(path string, workers int, cores, peakMB float64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	before := host.Self()
	built, err := analysis.Build([]*result.File{{Name: path, Trials: k.trials}})
	if err != nil {
		return err
	}
	after := host.Self()
	took := after.CPUUser + after.CPUSystem - before.CPUUser - before.CPUSystem
	if row := built.Rows[0]; len(row.Trials) != 1 || len(row.Trials[0].Apart) != workers || row.Errors() > 0 {
		return fmt.Errorf("the trial is not that of %d workers: %s", workers, k.trials[0].Failure)
	}
	fmt.Fprintln(os.Stdout, cores, peakMB, float64(info.Size())/1e6, took.Seconds())
	return nil
}

// dialled launches a worker by a connection to the crowd's socket.
type dialled string

// Launch implements launch.Launcher.
func (d dialled) Launch(context.Context, launch.Order) (launch.Process, error) {
	conn, err := net.Dial("unix", string(d))
	if err != nil {
		return nil, err
	}
	return &session{conn, make(chan struct{})}, nil
}

// session is a worker of the crowd as a Process. It ends with its connection.
type session struct {
	net.Conn
	ended chan struct{}
}

func (s *session) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	if err != nil {
		select {
		case <-s.ended:
		default:
			close(s.ended)
		}
	}
	return n, err
}

func (s *session) Close() error    { return s.Conn.(*net.UnixConn).CloseWrite() }
func (*session) Host() launch.Host { return launch.Host{Address: "127.0.0.1"} }
func (*session) LastWords() string { return "" }
func (s *session) Kill()           { s.Conn.Close() }
func (s *session) Wait() error     { <-s.ended; return nil }

// selfMeter is called when the measured phase begins, and when it has ended.
type selfMeter struct{ cores float64 }

// Begin implements driver.Meter.
func (m *selfMeter) Begin() (end func() *control.Watched) {
	used, begun := host.Self(), time.Now()
	return func() *control.Watched {
		now := host.Self()
		cpu := now.CPUUser + now.CPUSystem - used.CPUUser - used.CPUSystem
		m.cores = cpu.Seconds() / time.Since(begun).Seconds()
		return &control.Watched{}
	}
}

// A keeper writes results, and keeps them.
type keeper struct {
	*result.Writer
	trials []result.Trial
}

// Append implements driver.Results.
func (k *keeper) Append(trial result.Trial) error {
	k.trials = append(k.trials, trial)
	return k.Writer.Append(trial)
}

type silent struct{}

func (silent) Begun([]plan.Trial, int) {}
func (silent) Ended(result.Trial)      {}
