package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rpcbench/internal/run/child"
)

const (
	soakStack    = "grpc-go"
	soakPerSec   = 5000
	soakSettled  = 5  // a process has its memory after a fifth of the soak, or a minute
	soakWorkerMB = 8  // by which a worker may grow from then on, whatever the length
	soakKB       = 10 // a second, by which the driver may grow beside that: it keeps what it writes when the trial has ended
	soakReportKB = 25 // a second, by which the report of a second takes more than that of none
	soakReportMB = 100
	soakLook     = time.Second
)

// soakScenario is an open load.
const soakScenario = `question: Is memory flat?
name: soak
defaults: {kind: unary, trials: 1, warmup: 1s, shape: 1x100, request_bytes: 100}
cases:
  - {title: soak, load: constant %d/s, duration: %v}
`

// soakBar runs a long load with a histogram for every second, and looks at the memory of the driver and its workers: after
// the first part, and after all of it. Then it reports the file.
func soakBar(ctx context.Context, r *rig) ([]line, error) {
	program, err := r.build(ctx, "rpcbench/cmd/rpcbench")
	if err != nil {
		return nil, err
	}
	scenario, results := filepath.Join(r.folder, "soak.yaml"), filepath.Join(r.folder, "soak.jsonl")
	if err := os.WriteFile(scenario, fmt.Appendf(nil, soakScenario, soakPerSec, r.soak), 0o600); err != nil {
		return nil, err
	}
	load := exec.Command(program, "run", scenario, "--stacks", soakStack, "--no-floor", "--intervals", "full",
		"--format", "csv", "--out", results)
	var said bytes.Buffer
	load.Stderr = &said
	if err := load.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		err := load.Wait()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, said.String())
		}
		ended <- err
	}()
	grown, err := watchSoak(ctx, load.Process, ended, r.soak)
	if err != nil {
		return nil, err
	}
	if len(grown) < 3 {
		return nil, errors.New("this system does not tell which processes a process has started")
	}
	lines := soakLines(grown, r.soak)
	report, err := reportLine(ctx, program, results, r.soak)
	return append(lines, report), err
}

// A grown process had these numbers of bytes in memory when it had settled, and at the end.
type grown struct{ settled, end int64 }

// watchSoak watches the memory of a process and its children until it ends, and returns the growth of each, starting with the
// process. Memory for writing the results after the load is a momentary peak, and not counted.
func watchSoak(ctx context.Context, p *os.Process, ended <-chan error, length time.Duration) ([]grown, error) {
	begun := time.Now()
	settles := min(length/soakSettled, time.Minute)
	looks := time.NewTicker(soakLook)
	defer looks.Stop()
	all := map[int]grown{}
	for {
		select {
		case err := <-ended:
			return inOrder(all), err
		case <-ctx.Done():
			_ = p.Signal(syscall.SIGINT) // the second ends it at once, and its workers end with it
			_ = p.Signal(syscall.SIGINT)
			<-ended //nolint:errcheck // as it was told to
			return nil, context.Cause(ctx)
		case <-looks.C:
		}
		if took := time.Since(begun); took > length {
			continue
		} else if took < settles {
			clear(all)
		}
		if err := lookAt(p.Pid, all); err != nil {
			return nil, err
		}
	}
}

// inOrder returns the processes, the oldest first.
func inOrder(all map[int]grown) (list []grown) {
	var pids []int
	for pid := range all {
		pids = append(pids, pid)
	}
	slices.Sort(pids)
	for _, pid := range pids {
		list = append(list, all[pid])
	}
	return list
}

// lookAt records the current memory of a process and its children.
func lookAt(parent int, all map[int]grown) error {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent)) // each thread has its own
	if err != nil {
		return err
	}
	words := []string{strconv.Itoa(parent)}
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread may have just ended
		words = append(words, strings.Fields(string(text))...)
	}
	for _, word := range words {
		pid, err := strconv.Atoi(word)
		if err != nil {
			return err
		}
		if resident, err := residentBytes(pid); err == nil { // otherwise it has just ended
			one, seen := all[pid]
			if !seen {
				one.settled = resident
			}
			one.end = resident
			all[pid] = one
		}
	}
	return nil
}

func residentBytes(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	var size, resident int64
	_, err = fmt.Sscan(string(text), &size, &resident)
	return resident * int64(os.Getpagesize()), err
}

func soakLines(all []grown, length time.Duration) (lines []line) {
	for i, one := range all {
		name, most := "soak worker "+strconv.Itoa(i), float64(soakWorkerMB)
		if i == 0 {
			name, most = "soak driver", soakWorkerMB+soakKB*length.Seconds()/1000
		}
		grew := float64(one.end-one.settled) / 1e6
		lines = append(lines, line{
			name: name, measured: fmt.Sprintf("grew by %.1f MB to %.1f in %v", grew, float64(one.end)/1e6, length),
			limit: fmt.Sprintf("≤ %.1f MB", most), pass: grew <= most,
		})
	}
	return lines
}

// reportLine is the peak memory of the report of the file.
func reportLine(ctx context.Context, program, results string, length time.Duration) (line, error) {
	info, err := os.Stat(results)
	if err != nil {
		return line{}, err
	}
	report := exec.Command(program, "report", results)
	if _, err := child.Run(ctx, report, nil); err != nil {
		return line{}, err
	}
	peak, err := peakMB(report.ProcessState)
	if err != nil {
		return line{}, err
	}
	most := soakReportMB + soakReportKB*length.Seconds()/1000
	return line{
		name: "soak report", measured: fmt.Sprintf("of %.1f MB takes %.1f MB", float64(info.Size())/1e6, peak),
		limit: fmt.Sprintf("≤ %.1f MB", most), pass: peak <= most,
	}, nil
}
