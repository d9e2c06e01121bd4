package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Go builds fortio and k6. Debian has the others but oha, which Cargo takes a quarter of an hour to build: it is measured where
// it is installed. fortio 1.75 imports a module that Go's proxy does not serve.
const (
	fortioModule = "fortio.org/fortio@v1.63.10"
	k6Module     = "go.k6.io/k6@v1.8.1"
)

var (
	parseFortio = parseCodes("RetCodes")
	parseOha    = parseCodes("statusCodeDistribution")
)

// have finds a client of others, or has Go build it, once. Its error says why it can't be had.
func (r *rig) have(ctx context.Context, name string) error {
	switch name {
	case "fortio":
		_, err := r.install(ctx, fortioModule)
		return err
	case "k6":
		_, err := r.install(ctx, k6Module)
		return err
	}
	_, err := exec.LookPath(name)
	return err
}

// wrkEffort has wrk say who it is, as all others do: without that header nginx serves 3.5% more requests at 50 connections.
func (r *rig) wrkEffort(ctx context.Context, url string, at shape) (effort, error) {
	return r.paced(func(length time.Duration) (effort, error) {
		return r.ran(ctx, length, parseWrk,
			"wrk", "-t1", "-c"+strconv.Itoa(at.connections), "-d"+length.String(), "-HUser-Agent: rpcbench", url)
	})
}

var (
	wrkRequests = regexp.MustCompile(`(?m)^ +(\d+) requests in `)
	wrkFailures = regexp.MustCompile(`(?m)^ +(Socket errors|Non-2xx or 3xx responses): .*`)
)

func parseWrk(out []byte) (requests float64, err error) {
	if failure := wrkFailures.Find(out); failure != nil {
		return 0, errors.New(strings.TrimSpace(string(failure)))
	}
	return requestsIn(wrkRequests, out)
}

func requestsIn(pattern *regexp.Regexp, out []byte) (requests float64, err error) {
	found := pattern.FindSubmatch(out)
	if found == nil {
		return 0, errors.New("no requests")
	}
	if requests, err = strconv.ParseFloat(string(found[1]), 64); err == nil && requests == 0 {
		err = errors.New("no requests")
	}
	return requests, err
}

// h2loadPageEffort is of h2load with GET.
func (r *rig) h2loadPageEffort(ctx context.Context, url string, at shape) (effort, error) {
	return r.h2load(ctx, at, url)
}

func (r *rig) fortioEffort(ctx context.Context, url string, at shape) (effort, error) {
	path, err := r.install(ctx, fortioModule)
	if err != nil {
		return effort{}, err
	}
	return r.paced(func(length time.Duration) (effort, error) {
		return r.ran(ctx, length, parseFortio, path, "load", "-quiet", "-qps=0", "-c="+strconv.Itoa(at.connections),
			"-t="+length.String(), "-allow-initial-errors=false", "-json=-", url)
	})
}

// parseCodes reads the field of a JSON report that has the number of requests by HTTP status. All must be 200.
func parseCodes(field string) func(out []byte) (requests float64, err error) {
	return func(out []byte) (float64, error) {
		var report map[string]json.RawMessage
		if err := json.Unmarshal(out, &report); err != nil {
			return 0, err
		}
		var codes map[string]float64
		if err := json.Unmarshal(report[field], &codes); err != nil {
			return 0, fmt.Errorf("%s: %w", field, err)
		}
		if len(codes) != 1 || codes["200"] == 0 {
			return 0, fmt.Errorf("the codes are %v", codes)
		}
		return codes["200"], nil
	}
}

func (r *rig) k6Effort(ctx context.Context, url string, at shape) (effort, error) {
	path, err := r.install(ctx, k6Module)
	if err != nil {
		return effort{}, err
	}
	script, summary := filepath.Join(r.folder, "k6.js"), filepath.Join(r.folder, "k6.json")
	text := "import http from 'k6/http';\nexport default () => { http.get(" + strconv.Quote(url) + "); };\n"
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		return effort{}, err
	}
	return r.paced(func(length time.Duration) (effort, error) {
		parse := func([]byte) (float64, error) {
			out, err := os.ReadFile(summary)
			if err != nil {
				return 0, err
			}
			return parseK6(out)
		}
		return r.ran(ctx, length, parse, path, "run", "--quiet", "--no-usage-report", "--address=",
			"--vus="+strconv.Itoa(at.connections), "--duration="+length.String(), "--summary-export="+summary, script)
	})
}

func parseK6(out []byte) (requests float64, err error) {
	var report struct {
		Metrics struct {
			Requests struct {
				Count float64 `json:"count"`
			} `json:"http_reqs"`
			Failed struct {
				Passes float64 `json:"passes"`
			} `json:"http_req_failed"`
		} `json:"metrics"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, err
	}
	if m := report.Metrics; m.Requests.Count == 0 || m.Failed.Passes > 0 {
		return 0, fmt.Errorf("%v requests, of which %v failed", m.Requests.Count, m.Failed.Passes)
	}
	return report.Metrics.Requests.Count, nil
}

func (r *rig) ohaEffort(ctx context.Context, url string, at shape) (effort, error) {
	return r.paced(func(length time.Duration) (effort, error) {
		return r.ran(ctx, length, parseOha, "oha", "--no-tui", "--output-format=json", "-c", strconv.Itoa(at.connections),
			"-z", length.String(), url)
	})
}
