package plan

import (
	"fmt"
	"slices"
)

// Processes is equal for trials that may share their processes, where their clients begin anew: what lasts as long as a process,
// what its server was told, and which code it runs. The Specs differ in numbers of the client's connections and calls, in their
// deadline, and in how long they are measured. It is the Point of a trial that shares processes with its own Spec only: a server
// that is a command is started for each row, a proxy is too, and the process of a link reports how late it was from its start on.
func (t Trial) Processes() string {
	s := t.Spec
	if s.Program != nil || s.Proxy != nil || s.Link != nil {
		return t.Point()
	}
	s.Connections, s.InFlight, s.Streams = 0, 0, 0
	if s.Records == 0 { // whose values the server has made
		s.RequestBytes, s.ResponseBytes = 0, 0
	}
	s.Messages, s.Batch = min(s.Messages, 1), min(s.Batch, 1)
	s.OfferedPerSec, s.DeadlineNs, s.DrainNs = 0, 0, 0
	s.WarmupNs, s.WarmupMostNs, s.DurationNs, s.Calls = 0, 0, 0, 0
	return identity(s)
}

// share has trials go on with the processes of earlier ones, in the order of execution.
func (b *builder) share(trials []Trial) {
	running := map[string]bool{}
	points := map[string]string{} // by what could share processes, the first Point
	for i := range trials {
		t := &trials[i]
		key := t.Processes()
		if !b.reconnects(t.Spec) {
			if first, ok := points[key]; ok && first != t.Point() {
				b.notes.ownProcesses(t.Spec.Stack)
			}
			points[key] = t.Point()
			key = t.Point()
		}
		t.Reuse = running[key]
		running[key] = true
	}
}

// reconnects reports whether the client of a Spec can begin anew in its process.
func (b *builder) reconnects(s Spec) bool {
	host, isForeign := b.hostOf(s, s.Stack)
	return !isForeign || host.Reconnects
}

// ownProcesses adds a client whose rows share no processes with one another.
func (n *notes) ownProcesses(stack string) {
	text := fmt.Sprintf("Rows of %s share no processes with one another (--reuse): its worker is not able to connect a client anew.",
		stack)
	if !slices.Contains(n.apart, text) {
		n.apart = append(n.apart, text)
	}
}
