package fleet

import (
	"rpcbench/internal/plan"
	"rpcbench/internal/stack/origin"
	"rpcbench/internal/worker/control"
)

// browserName is the name of the worker in a browser.
const browserName = "browser"

// browserNote explains the figures of browsers.
const browserNote = "A browser opens connections as it sees fit, rounds its clock, and tells neither its CPU time nor bytes on " +
	"the wire: those are the servers' counts."

// Browser returns the Hello of the page's worker; nil before it was asked.
func (f *Fleet) Browser() *control.Hello { return f.heard[browserName].hello }

// suitBrowser adapts the host of a stack in a page: its servers have to let pages call.
func suitBrowser(host plan.Host) plan.Host {
	host.Note, host.Lacks = browserNote, lacksBrowser
	host.ServerOptions = map[string]string{origin.Name: "*"}
	return host
}

// lacksBrowser returns what of a point a page does not support, or "".
func lacksBrowser(s plan.Spec) string {
	switch {
	case s.Connections > 1:
		return "opens connections as it sees fit, so connections can only be 1"
	case s.Batch > 0:
		return "has no batch"
	case s.Target != "":
		return "calls servers that rpcbench has started, and no others"
	default:
		return ""
	}
}
