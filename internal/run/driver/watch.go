package driver

import (
	"context"
	"slices"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// watchPatience is how long a watcher of another host may take to report.
const watchPatience = 10 * time.Second

// A watch watches one host.
type watch struct {
	host  string
	begun time.Time
	end   func() (*control.Watched, error)
}

// watchHosts watches all hosts of the trial's processes until end is called, however the phase goes. It is within the Marks of
// the sides, so the reported use of the sides is at least their part of the host's. end takes the time at which the phase began.
func (s *sides) watchHosts(ctx context.Context) (end func(phase time.Time), err error) {
	var watches []watch
	if s.Meter != nil && slices.Contains(s.hosts(), "") {
		end := s.Meter.Begin()
		watches = append(watches, watch{"", s.Now(), func() (*control.Watched, error) { return end(), nil }})
	}
	for _, watcher := range s.watchers {
		if err := watcher.Watch(ctx); err != nil {
			return nil, blame(watcher.name, err)
		}
		watches = append(watches, watch{watcher.Host().ID, s.Now(), func() (*control.Watched, error) {
			ctx, cancel := patience.WithTimeout(context.WithoutCancel(ctx), watchPatience)
			defer cancel()
			return watcher.EndWatch(ctx)
		}})
	}
	return func(phase time.Time) {
		for _, w := range watches {
			switch seen, err := w.end(); {
			case err != nil:
				s.warnf(result.WarningUnwatched, "what the host %s did is not known: %v", w.host, err)
			default:
				s.evidence.Hosts = append(s.evidence.Hosts, hostUse(w.host, seen, max(phase.Sub(w.begun), 0)))
			}
		}
	}, nil
}

// hosts returns the hosts of the started processes, each once, except for those where nothing can watch.
func (s *sides) hosts() (ids []string) {
	for _, p := range append(s.others(), started(s.clients)...) {
		if host := p.Host(); !host.Unwatched && !slices.Contains(ids, host.ID) {
			ids = append(ids, host.ID)
		}
	}
	return ids
}

// startWatchers starts a process beside the trial's on each host but this, which the driver watches itself: a worker that
// has a load would be late because of it.
func (s *sides) startWatchers(ctx context.Context) error {
	for _, id := range s.hosts() {
		if id == "" {
			continue
		}
		watcher := namedProcess{name: "watcher of " + id, stem: "watcher"}
		var err error
		if watcher.Worker, err = launch.Start(ctx, s.Launcher, launch.Order{Host: id}); err != nil {
			return blame(watcher.name, err)
		}
		s.watchers = append(s.watchers, watcher)
	}
	return nil
}

// hostUse converts what was observed for the evidence, for a phase that began later after the watch.
func hostUse(id string, seen *control.Watched, later time.Duration) result.HostUse {
	hiccups := seen.GetHiccups()
	use := result.HostUse{
		Host: id, ElapsedNs: seen.GetElapsedNs(), WatchCPUNs: seen.CpuNs, EnergyJoules: seen.EnergyJoules,
		ThrottledNs: seen.ThrottledNs, FrequencyMHz: seen.FrequencyMhz, HeatThrottles: seen.HeatThrottles,
		DroppedPackets: seen.DroppedPackets, ProcessesNs: seen.ProcessesNs,
		Hiccups: result.Hiccups{
			Count: hiccups.GetCalls(), P50Ns: hiccups.GetP50Ns(), P99Ns: hiccups.GetP99Ns(), MaxNs: hiccups.GetMaxNs(),
		},
	}
	for _, p := range seen.GetParts() {
		use.Parts = append(use.Parts, result.HostPart{
			StartNs: max(p.GetStartNs()-later.Nanoseconds(), 0), EndNs: p.GetEndNs() - later.Nanoseconds(),
			HiccupMaxNs: p.GetHiccupMaxNs(), BusyNs: p.BusyNs, StealNs: p.StealNs,
		})
	}
	if seen.BusyNs != nil && seen.IdleNs != nil && seen.StealNs != nil {
		use.CPU = &result.HostCPU{BusyNs: *seen.BusyNs, IdleNs: *seen.IdleNs, StealNs: *seen.StealNs}
	}
	return use
}
