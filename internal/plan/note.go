package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/point"
)

// A Note is a sentence that readers of a plan's results must know, with a code for what it is about.
type Note struct {
	Code NoteCode `json:"code"`
	Text string   `json:"text"`
}

// A NoteCode names a sort of Note.
type NoteCode string

// Codes of Notes.
const (
	NoteLeftOut       NoteCode = "left_out"           // a stack, of what it can't do; what a key leaves no room for
	NoteFloorMissing  NoteCode = "floor_missing"      // at points that it can't do
	NoteShortWarmup   NoteCode = "short_warmup"       // shorter than a runtime wants
	NoteWorkerMissing NoteCode = "worker_missing"     // it could not be started
	NoteOnTheWay      NoteCode = "decided_on_the_way" // there is no plan: each trial was decided from those before
	NoteReplayed      NoteCode = "replayed"           // the plan is that of another file
	NoteForeignWorker NoteCode = "foreign_worker"     // what its figures mean
	NoteOwnProcesses  NoteCode = "own_processes"      // a client's rows share none
	NoteStreamLimit   NoteCode = "stream_limit"       // a server accepts fewer calls at once than are in flight
	NoteNoWindow      NoteCode = "no_window"          // a server lets no request follow its header at once
	NoteUntried       NoteCode = "untried"            // more pairs of a request and a row than are tried before the load
)

// notes collects the points that were left out, merged by stack and reason, and the warm-ups that are shorter than runtimes need.
type notes struct {
	list  []*note
	index map[string]*note
	short []shortWarmUp
	hosts []string // what is to be known of workers
	apart []string // whose rows share no processes
	cases []string // what is left out of cases
}

// A shortWarmUp is a requested warm-up that is shorter than runtimes need.
type shortWarmUp struct {
	given  point.Warmup
	least  time.Duration
	stacks []string
}

func (w shortWarmUp) String() string {
	want, whose := "needs: its figures include the start of its runtime", w.stacks[0]
	if last := len(w.stacks) - 1; last > 0 {
		want = "need: their figures include the start of their runtimes"
		whose = strings.Join(w.stacks[:last], ", ") + " and " + w.stacks[last]
	}
	is := "is"
	if w.given.Most >= w.least {
		is = "may be"
	}
	return fmt.Sprintf("The warm-up of %v %s shorter than the %v that %s %s.", w.given, is, w.least, whose, want)
}

// A note is one about points that were left out.
type note struct {
	pair   pair // the zero pair: the floor
	lack   lack
	cases  map[Case]bool
	points map[string]bool // by Spec
}

func (n *notes) leaveOut(p pair, l lack, use Case, s Spec) {
	entry := n.entry(p, l)
	entry.cases[use] = true
	entry.points[identity(s)] = true
}

func (n *notes) floorMissing(l lack, s Spec) {
	s.Stack, s.Server, s.Protocol, s.Options = FloorStack, FloorStack, "", nil
	n.entry(pair{}, l).points[identity(s)] = true
}

// warmUpShort adds a stack that needs a longer warm-up, least, than was given.
func (n *notes) warmUpShort(given point.Warmup, least time.Duration, stack string) {
	i := slices.IndexFunc(n.short, func(w shortWarmUp) bool { return w.given == given && w.least == least })
	if i < 0 {
		n.short = append(n.short, shortWarmUp{given: given, least: least})
		i = len(n.short) - 1
	}
	if !slices.Contains(n.short[i].stacks, stack) {
		n.short[i].stacks = append(n.short[i].stacks, stack)
	}
}

func (n *notes) entry(p pair, l lack) *note {
	key := p.String() + ": " + l.String()
	if n.index == nil {
		n.index = map[string]*note{}
	}
	if _, ok := n.index[key]; !ok {
		n.index[key] = &note{pair: p, lack: l, cases: map[Case]bool{}, points: map[string]bool{}}
		n.list = append(n.list, n.index[key])
	}
	return n.index[key]
}

// because ends a sentence with the reasons of the notes that meet the condition.
func (n *notes) because(meets func(*note) bool) string {
	var reasons []string
	for _, entry := range n.list {
		if reason := entry.lack.String(); meets(entry) && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(reasons, "; ")
}

// of reports whether the note is about a case of the scenario.
func (n *note) of(scenario string) bool {
	for c := range n.cases {
		if c.Scenario == scenario {
			return true
		}
	}
	return false
}

func (n *notes) all() []Note {
	var all []Note
	for _, text := range n.cases {
		all = append(all, Note{NoteLeftOut, text})
	}
	for _, entry := range n.list {
		code := NoteLeftOut
		if entry.ofFloor() {
			code = NoteFloorMissing
		}
		all = append(all, Note{code, entry.String()})
	}
	for _, warmUp := range n.short {
		all = append(all, Note{NoteShortWarmup, warmUp.String()})
	}
	for _, text := range n.hosts {
		all = append(all, Note{NoteForeignWorker, text})
	}
	for _, text := range n.apart {
		all = append(all, Note{NoteOwnProcesses, text})
	}
	return all
}

// host adds a note on a client's worker, once.
func (n *notes) host(text string) {
	if text != "" && !slices.Contains(n.hosts, text) {
		n.hosts = append(n.hosts, text)
	}
}

func (n *note) ofFloor() bool { return n.pair.client.Name == "" }

func (n *note) String() string {
	points := number.Count(len(n.points), "point")
	if n.ofFloor() {
		return fmt.Sprintf("The floor is missing at %s: %s.", points, n.lack)
	}
	why := n.lack
	if why.who == n.pair.String() {
		why.who = "it"
	}
	return fmt.Sprintf("%s is left out of %s: %s.", n.pair, points, why)
}
