package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/report"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

const (
	pageTrials    = 1000
	pagePerRow    = 20
	pageIntervals = 100 // of a trial of 10 s
	pageRuns      = 10
	pageMs        = 2000
	pageMB        = 5
)

// pageBar opens the page of a report of a thousand trials in a browser. It needs the setup of `make test-web`.
func pageBar(ctx context.Context, r *rig) ([]line, error) {
	var page bytes.Buffer
	built, err := pageReport()
	if err != nil {
		return nil, err
	}
	if err := report.Write(&page, report.FormatHTML, built, report.Options{}); err != nil {
		return nil, err
	}
	size := stat.Summarize([]float64{float64(page.Len()) / 1e6})
	path := filepath.Join(r.folder, "page.html")
	if err := os.WriteFile(path, page.Bytes(), 0o600); err != nil {
		return nil, err
	}
	opened, err := openTimes(ctx, path)
	if err != nil {
		return nil, err
	}
	return []line{
		atMost("page of 1,000 trials: size", size, pageMB, "MB"),
		atMost("page of 1,000 trials: until its first chart", stat.Summarize(opened), pageMs, "ms"),
	}, nil
}

// openTimes returns the times in ms in which a page opens, each in a new tab.
func openTimes(ctx context.Context, path string) ([]float64, error) {
	command := exec.CommandContext(ctx, "node", "web/open.mjs", path, strconv.Itoa(pageRuns))
	command.Stderr = os.Stderr
	said, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("node web/open.mjs: %w (make test-web sets up what it needs)", err)
	}
	var times []float64
	for text := range strings.FieldsSeq(string(said)) {
		ms, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		times = append(times, ms)
	}
	return times, nil
}

// pageReport is a report of five stacks at ten sizes, with the intervals of 10 s.
func pageReport() (*analysis.Report, error) {
	file := &result.File{Name: "many.jsonl"}
	for i := range pageTrials {
		row, repetition := i/pagePerRow, i%pagePerRow+1
		histogram, err := pageCalls(int64(100_000 + 1000*row + 100*repetition))
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("stack-%d", row%5)
		file.Trials = append(file.Trials, result.Trial{
			ID: strconv.Itoa(i), Repetition: repetition, Started: time.Unix(int64(i), 0), Status: result.StatusOK,
			Cases: []plan.Case{{Scenario: "many", Title: "Echo"}},
			Spec: plan.Spec{Stack: name, Server: name, Protocol: "grpc", Kind: "unary", RequestBytes: 100 << (row / 5),
				ResponseBytes: 100 << (row / 5), Connections: 1, InFlight: 1, Load: plan.LoadClosed, DurationNs: 10e9},
			Clients: []result.Client{{Record: result.Record{
				ElapsedNs: 10e9, WindowNs: 10e9, Arrivals: 1000, Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: 1000}},
				Histograms: map[string]string{result.HistResponse: histogram}, Intervals: pageCourse(),
			}}},
		})
	}
	return analysis.Build([]*result.File{file})
}

func pageCalls(medianNs int64) (string, error) {
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	for i := range int64(1000) {
		if err := h.RecordValue(medianNs/2 + medianNs*i/1000 + 10*medianNs/(1001-i)); err != nil {
			return "", err
		}
	}
	return result.EncodeHistogram(h)
}

func pageCourse() []result.Interval {
	intervals := make([]result.Interval, pageIntervals)
	for i := range intervals {
		intervals[i] = result.Interval{StartNs: int64(i) * 100e6, EndNs: int64(i+1) * 100e6, OK: 10, InFlight: 1}
		if i%10 == 9 {
			intervals[i].Response = &result.Quantiles{Calls: 100, P50Ns: 100_000, P90Ns: 200_000, P99Ns: 900_000, MaxNs: 2_000_000}
		}
	}
	return intervals
}
