// Package hosttable describes checked hosts, as a table and as JSON.
package hosttable

import (
	"fmt"
	"math"
	"strings"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/run/hosts"
)

// A Host is one as JSON has it.
type Host struct {
	Name        string   `json:"name"`
	Problem     string   `json:"problem,omitempty"` // why it can't be used
	Address     string   `json:"address,omitempty"`
	Machine     string   `json:"machine,omitempty"` // what it calls itself
	OS          string   `json:"os,omitempty"`
	Arch        string   `json:"arch,omitempty"`
	Kernel      string   `json:"kernel,omitempty"`
	CPU         string   `json:"cpu,omitempty"`
	Processors  int      `json:"processors,omitempty"`
	OpenFiles   int64    `json:"open_files,omitempty"`
	RoundTripNs int64    `json:"round_trip_ns,omitempty"`
	ClockNs     int64    `json:"clock_ahead_ns,omitempty"`
	Runtime     string   `json:"runtime,omitempty"`
	Measures    []string `json:"measures,omitempty"` // what can be measured of it
	Lacks       []string `json:"lacks,omitempty"`
}

// Describe describes hosts.
func Describe(checks []hosts.Checked) []Host {
	described := []Host{}
	for _, c := range checks {
		described = append(described, describe(c))
	}
	return described
}

func describe(c hosts.Checked) Host {
	if c.Err != nil {
		return Host{Name: c.Host.Name, Problem: plain.Line(c.Err.Error()), Address: c.Address}
	}
	at := c.Hello.GetHost()
	h := Host{
		Name: c.Host.Name, Address: c.Address, Machine: at.GetName(), OS: at.GetOs(), Arch: at.GetArch(), Kernel: at.GetKernel(),
		CPU: at.GetCpu(), Processors: int(c.Hello.GetProcessors()), OpenFiles: at.GetOpenFiles(),
		RoundTripNs: c.RoundTrip.Nanoseconds(), ClockNs: c.Ahead.Nanoseconds(), Runtime: c.Hello.GetRuntime(),
	}
	for _, figure := range []struct {
		name  string
		known bool
	}{
		{"hiccups", c.Watched.GetHiccups().GetCalls() > 0}, {"processor time", c.Watched.BusyNs != nil},
		{"steal", c.Watched.StealNs != nil}, {"frequency governor", at.GetGovernor() != ""},
		{"energy", c.Watched.EnergyJoules != nil}, {"throttling", c.Watched.ThrottledNs != nil},
		{"frequency", c.Watched.FrequencyMhz != nil}, {"dropped packets", c.Watched.DroppedPackets != nil},
	} {
		if figure.known {
			h.Measures = append(h.Measures, figure.name)
		} else {
			h.Lacks = append(h.Lacks, figure.name)
		}
	}
	return h
}

// Document returns a table of hosts, and why some of them can't be used.
func Document(checks []hosts.Checked) document.Document {
	t := &document.Table{Columns: []document.Column{
		{Head: "host"}, {Head: "address"}, {Head: "system"}, {Head: "processors", Right: true}, {Head: "open files", Right: true},
		{Head: "round trip", Right: true}, {Head: "clock", Right: true}, {Head: "measured there"},
	}}
	var problems []string
	for _, h := range Describe(checks) {
		if h.Problem != "" {
			problems = append(problems, problem(h))
			continue
		}
		t.Append(document.Texts(h.Name, h.Address, strings.TrimSpace(h.OS+"/"+h.Arch+" "+h.Kernel), number.Whole(int64(h.Processors)),
			openFiles(h.OpenFiles), number.Duration(float64(h.RoundTripNs)), ahead(h.ClockNs), strings.Join(h.Measures, ", "))...)
	}
	var doc document.Document
	if t.Height() > 0 {
		doc = append(doc, t)
	}
	if len(problems) > 0 {
		doc = append(doc, document.Answer(problems))
	}
	return doc
}

// problem names the host, as most statements about a host do at their beginning.
func problem(h Host) string {
	return "host " + h.Name + ": " + strings.TrimPrefix(h.Problem, "host "+h.Name+": ")
}

func openFiles(n int64) string {
	switch n {
	case 0:
		return "unknown"
	case math.MaxInt64:
		return "unlimited"
	default:
		return number.Whole(n)
	}
}

// ahead is the offset of a clock. No figure depends on it.
func ahead(ns int64) string {
	d := time.Duration(ns)
	if d.Abs() < time.Second {
		return "within 1 s"
	}
	return fmt.Sprintf("%+.0f s", d.Seconds())
}
