package model

import (
	"fmt"
	"math"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// A Process is a process's use over the measured phase. Its lists have equal lengths.
type Process struct {
	Name    Text      `json:"name"`
	EndMs   []int64   `json:"end"`             // of each part
	CPU     []float64 `json:"cpu"`             // processors that it kept busy
	PauseNs []int64   `json:"pause,omitempty"` // of garbage collection, in a second
	Heap    []int64   `json:"heap,omitempty"`  // bytes in use at the end
}

// A Host is a machine's activity meanwhile.
type Host struct {
	Name     Text      `json:"name"`
	EndMs    []int64   `json:"end"`
	HiccupNs []int64   `json:"hiccup"`          // the longest
	Busy     []float64 `json:"busy,omitempty"`  // processors
	Steal    []float64 `json:"steal,omitempty"` // processors that another machine had
}

// processesOf returns the processes of a trial that reported their use. Several of a side are numbered.
func processesOf(trial *analysis.Trial, most int) (all []Process) {
	add := func(side string, i, n int, of result.Side) {
		if len(of.Parts) == 0 {
			return
		}
		p := Process{Name: Text(processName(trial, side, i, n, of.Host))}
		knowsPause, knowsHeap := true, true
		for _, use := range joined(of.Parts, most, addUse) {
			ns := max(use.EndNs-use.StartNs, 1)
			p.EndMs, p.CPU = append(p.EndMs, use.EndNs/1e6), append(p.CPU, processors(use.CPUNs, ns))
			if knowsPause = knowsPause && use.GCPauseNs != nil; knowsPause {
				p.PauseNs = append(p.PauseNs, perSec(*use.GCPauseNs, ns))
			}
			if knowsHeap = knowsHeap && use.HeapBytes != nil; knowsHeap {
				p.Heap = append(p.Heap, *use.HeapBytes)
			}
		}
		if !knowsPause {
			p.PauseNs = nil
		}
		if !knowsHeap {
			p.Heap = nil
		}
		all = append(all, p)
	}
	for i, c := range trial.Clients {
		add("client", i, len(trial.Clients), c.Side)
	}
	if trial.Proxy != nil {
		add("proxy", 0, 1, *trial.Proxy)
	}
	for i, s := range trial.Servers {
		add("server", i, len(trial.Servers), s)
	}
	return all
}

// processName is "client", or of several "client 2 of 3", with the machine that it runs on where that is not the driver's.
func processName(trial *analysis.Trial, side string, i, n int, host string) string {
	if n > 1 {
		side = fmt.Sprintf("%s %d of %d", side, i+1, n)
	}
	if host != "" {
		side += " on " + trial.HostName(host)
	}
	return side
}

func addUse(a, b result.Use) result.Use {
	return result.Use{StartNs: a.StartNs, EndNs: b.EndNs, CPUNs: a.CPUNs + b.CPUNs, GCPauseNs: plus(a.GCPauseNs, b.GCPauseNs),
		HeapBytes: b.HeapBytes}
}

// hostsOf are the machines of a trial that were watched.
func hostsOf(trial *analysis.Trial, most int) (all []Host) {
	for _, use := range trial.Hosts {
		if len(use.Parts) == 0 {
			continue
		}
		h := Host{Name: Text(trial.HostName(use.Host))}
		known := true
		for _, part := range joined(use.Parts, most, addPart) {
			ns := max(part.EndNs-part.StartNs, 1)
			h.EndMs, h.HiccupNs = append(h.EndMs, part.EndNs/1e6), append(h.HiccupNs, part.HiccupMaxNs)
			if known = known && part.BusyNs != nil && part.StealNs != nil; known {
				h.Busy, h.Steal = append(h.Busy, processors(*part.BusyNs, ns)), append(h.Steal, processors(*part.StealNs, ns))
			}
		}
		if !known {
			h.Busy, h.Steal = nil, nil
		}
		all = append(all, h)
	}
	return all
}

func addPart(a, b result.HostPart) result.HostPart {
	return result.HostPart{StartNs: a.StartNs, EndNs: b.EndNs, HiccupMaxNs: max(a.HiccupMaxNs, b.HiccupMaxNs),
		BusyNs: plus(a.BusyNs, b.BusyNs), StealNs: plus(a.StealNs, b.StealNs)}
}

// joined has neighbors share a part where there are more than most.
func joined[T any](parts []T, most int, add func(a, b T) T) (all []T) {
	each := (len(parts) + most - 1) / most
	for i, part := range parts {
		if i%each == 0 {
			all = append(all, part)
			continue
		}
		all[len(all)-1] = add(all[len(all)-1], part)
	}
	return all
}

func plus(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	return new(*a + *b)
}

// processors returns the average number of processors in use, to a thousandth.
func processors(usedNs, ns int64) float64 { return math.Round(1000*float64(usedNs)/float64(ns)) / 1000 }
