package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/results/stat"
	"rpcbench/internal/run/child"
)

// What all clients do: GET a page of webBytes from nginx, which has one process that is pinned to a processor; they are
// pinned to another. As with peers, each of them calls for a second, which is not measured, and then for the length of a run.
//
// Ours is `rpcbench load`, as users have it, with --http2 where theirs speaks HTTP/2. Its CPU is the client worker's, within the
// measured phase; that of others is all that the process has used, from start to end.
const (
	webBytes = 1000

	maxWebCPU    = 1.0  // of wrk's CPU per request
	minWebRate   = 1.0  // of wrk's requests per second
	maxWebTLSCPU = 0.95 // of h2load's CPU per request, over TLS
	maxWebEasier = 0.1  // of the CPU per request of tools that are made for comfort
	webOurs      = "rpcbench"
)

// A course is one way to get the page, and the clients of others that go it, each with how much of its CPU per request ours
// may take; 0 has no limit.
type course struct {
	secure bool // over TLS, by HTTP/2
	shape  shape
	rivals map[string]float64
	rate   map[string]float64 // how many of a rival's requests per second ours must make
}

var courses = []course{
	{shape: shape{1, 1}, rivals: map[string]float64{"wrk": maxWebCPU}, rate: map[string]float64{"wrk": minWebRate}},
	{shape: shape{50, 1}, rivals: webAll, rate: map[string]float64{"wrk": minWebRate}},
	{shape: shape{500, 1}, rivals: webAll},
	{shape: shape{1000, 1}, rivals: map[string]float64{"wrk": maxWebCPU}, rate: map[string]float64{"wrk": minWebRate}},
	{secure: true, shape: shape{4, 25}, rivals: map[string]float64{"h2load": maxWebTLSCPU}},
	{secure: true, shape: shape{100, 1}, rivals: map[string]float64{"h2load": maxWebTLSCPU}},
}

var webAll = map[string]float64{"wrk": maxWebCPU, "fortio": maxWebEasier, "k6": maxWebEasier, "oha": maxWebEasier}

func (c course) String() string {
	if c.secure {
		return "h2 TLS " + c.shape.String()
	}
	return "http/1.1 " + c.shape.String()
}

// webBar sets our client of URLs beside the tools that people use for them.
func webBar(ctx context.Context, r *rig) ([]line, error) {
	clients := map[string]peer{
		"wrk": {"wrk", r.wrkEffort}, "fortio": {"fortio", r.fortioEffort}, "k6": {"k6", r.k6Effort},
		"oha": {"oha", r.ohaEffort}, "h2load": {"h2load", r.h2loadPageEffort},
	}
	missing := map[string]error{}
	var lines []line
	for _, c := range courses {
		peers := []peer{{webOurs, r.loadEffort}}
		for _, name := range slices.Sorted(maps.Keys(c.rivals)) {
			if _, asked := missing[name]; !asked {
				missing[name] = r.have(ctx, name)
			}
			if err := missing[name]; err != nil {
				lines = append(lines, line{
					name: fmt.Sprintf("web %v %s", c, name), measured: "not measured: " + err.Error(), limit: "to be had",
				})
				continue
			}
			peers = append(peers, clients[name])
		}
		rounds, err := r.rounds(ctx, peers, c.shape, func(ctx context.Context, measure func(url string) error) error {
			return r.onNginx(ctx, c.secure, measure)
		})
		if err != nil {
			return lines, err
		}
		lines = append(lines, c.lines(peers, rounds)...)
	}
	return lines, nil
}

// lines are each client's figures, and then ours over those of others.
func (c course) lines(peers []peer, rounds []map[string]effort) []line {
	var lines []line
	for _, p := range peers {
		of := func(figure func(effort) float64) stat.Summary {
			return summarize(rounds, func(round map[string]effort) float64 { return figure(round[p.name]) })
		}
		name := fmt.Sprintf("web %v %s", c, p.name)
		lines = append(lines,
			line{name: name, measured: figure(of(cpuOf), 2, "µs CPU/request")},
			line{name: name, measured: figure(of(perSecOf), 0, "requests/s")})
	}
	for _, p := range peers[1:] {
		over := func(figure func(effort) float64) stat.Summary {
			return summarize(rounds, func(round map[string]effort) float64 { return figure(round[webOurs]) / figure(round[p.name]) })
		}
		lines = append(lines, atMostOf(fmt.Sprintf("web %v CPU / %s's", c, p.name), over(cpuOf), c.rivals[p.name]))
		if least, held := c.rate[p.name]; held {
			lines = append(lines, atLeastOf(fmt.Sprintf("web %v rate / %s's", c, p.name), over(perSecOf), least))
		}
	}
	return lines
}

// loadEffort is of rpcbench load.
func (r *rig) loadEffort(ctx context.Context, url string, at shape) (effort, error) {
	command, err := r.worker(ctx)
	if err != nil {
		return effort{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, warmup+r.duration+peerPatience)
	defer cancel()
	args := []string{
		"load", url, "--connections=" + strconv.Itoa(at.connections), "--in-flight=" + strconv.Itoa(at.inFlight),
		"--client-cpus=" + strconv.Itoa(peersClientCPUs[0]), "--warmup=" + warmup.String(), "--duration=" + r.duration.String(),
		"--out=" + os.DevNull, "--format=json",
	}
	if strings.HasPrefix(url, "https:") {
		args = append(args, "--http2", "--insecure-skip-verify")
	}
	out, err := child.Run(ctx, exec.Command(command[0], args...), nil)
	if err != nil {
		return effort{}, err
	}
	return parseLoad([]byte(out))
}

func parseLoad(out []byte) (effort, error) {
	var report struct {
		Rows []struct {
			Calls    float64 `json:"calls"`
			Errors   float64 `json:"errors"`
			PerSec   float64 `json:"calls_per_sec"`
			ClientNS float64 `json:"client_cpu_ns_per_call"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return effort{}, fmt.Errorf("rpcbench load printed no report: %w", err)
	}
	if len(report.Rows) != 1 || report.Rows[0].Calls == 0 || report.Rows[0].Errors > 0 {
		return effort{}, fmt.Errorf("rpcbench load reports %+v", report.Rows)
	}
	row := report.Rows[0]
	perUS := row.ClientNS / float64(time.Microsecond)
	return effort{perSec: row.PerSec, perUS: perUS, busy: row.PerSec * perUS / 1e6}, nil
}
