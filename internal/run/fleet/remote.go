package fleet

import (
	"context"

	"rpcbench/internal/results/result"
	"rpcbench/internal/run/hosts"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/adb"
	"rpcbench/internal/run/launch/browser"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/manifest"
)

// A remote launches workers on a device of the user's, which calls servers of this machine from there.
type remote interface {
	launch.Launcher
	// Hosts reports whether its workers host the stack.
	Hosts(stack string) bool
	// Near has a process on this machine be reached by the device.
	Near(p launch.Process) launch.Process
}

// phoneName is the name of the worker in a phone's app.
const phoneName = "phone"

// phoneNote explains the figures of the app.
const phoneNote = "The app on the phone chooses neither processors nor their frequency, and a warm phone is slowed down: " +
	"look at " +
	"the course of its trials."

// addRemotes has the stacks of devices among the others.
func (f *Fleet) addRemotes() {
	if f.around.Browser != nil {
		f.remotes = append(f.remotes, f.around.Browser)
		f.workers = append(f.workers, manifest.Worker{Name: browserName, Path: "a page", Stacks: browser.Stacks()})
	}
	if f.around.Phone != nil {
		f.remotes = append(f.remotes, f.around.Phone)
		f.workers = append(f.workers, manifest.Worker{Name: phoneName, Path: f.around.Phone.Phone.String(), Stacks: adb.Stacks()})
	}
}

// remoteOf is the one whose workers host the stack; nil without one.
func (f *Fleet) remoteOf(stack string) remote {
	for _, r := range f.remotes {
		if r.Hosts(stack) {
			return r
		}
	}
	return nil
}

// RemoteHosts describe the devices that were asked, beside this machine, for results.
func (f *Fleet) RemoteHosts() []result.Host {
	var described []result.Host
	for _, device := range []struct{ name, id string }{{browserName, f.around.Browser.HostID()}, {phoneName, adb.HostID}} {
		if hello := f.heard[device.name].hello; hello != nil && device.id != "" {
			described = append(described, hosts.Describe(device.id, hello))
		}
	}
	return described
}

// launchers starts workers where they are: gRPC's run already, and devices start their own.
type launchers struct{ *Fleet }

// Launch implements launch.Launcher.
func (l launchers) Launch(ctx context.Context, order launch.Order) (launch.Process, error) {
	if order.Binary == "" && l.qps.Hosts(order.Stack) {
		return l.qps.Launch(ctx, order)
	}
	if r := l.remoteOf(order.Stack); r != nil {
		return r.Launch(ctx, order)
	}
	p, err := process.Launcher(l.Program).Launch(ctx, order)
	if err != nil {
		return nil, err
	}
	for _, r := range l.remotes {
		p = r.Near(p)
	}
	return p, nil
}
