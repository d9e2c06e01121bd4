package plan

import (
	"fmt"
	"slices"
	"strings"
)

// notes are the points that were left out, merged by who was left out and why, and what else is to be known of the plan.
type notes struct {
	list    []*note
	index   map[string]*note
	remarks []string
}

// A note is a sentence of Plan.Notes about points that were left out.
type note struct {
	pair   pair // the zero pair: the floor
	reason string
	cases  map[Case]bool
	points map[string]bool // by Spec
}

func (n *notes) leaveOut(p pair, reason string, use Case, s Spec) {
	entry := n.entry(p, reason)
	entry.cases[use] = true
	entry.points[s.canonical()] = true
}

func (n *notes) floorMissing(reason string, s Spec) {
	s.Stack, s.Server, s.Protocol, s.Options = FloorStack, FloorStack, "", nil
	n.entry(pair{}, reason).points[s.canonical()] = true
}

// remarkf adds a sentence, once.
func (n *notes) remarkf(format string, args ...any) {
	if sentence := fmt.Sprintf(format, args...); !slices.Contains(n.remarks, sentence) {
		n.remarks = append(n.remarks, sentence)
	}
}

func (n *notes) entry(p pair, reason string) *note {
	key := p.String() + ": " + reason
	if n.index == nil {
		n.index = map[string]*note{}
	}
	if _, ok := n.index[key]; !ok {
		n.index[key] = &note{pair: p, reason: reason, cases: map[Case]bool{}, points: map[string]bool{}}
		n.list = append(n.list, n.index[key])
	}
	return n.index[key]
}

// because ends a sentence with the reasons of the notes that meet the condition.
func (n *notes) because(meets func(*note) bool) string {
	var reasons []string
	for _, entry := range n.list {
		if meets(entry) && !slices.Contains(reasons, entry.reason) {
			reasons = append(reasons, entry.reason)
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(reasons, "; ")
}

// of tells whether the note is about a case of the scenario.
func (n *note) of(scenario string) bool {
	for c := range n.cases {
		if c.Scenario == scenario {
			return true
		}
	}
	return false
}

func (n *notes) sentences() []string {
	var sentences []string
	for _, entry := range n.list {
		sentences = append(sentences, entry.String())
	}
	return append(sentences, n.remarks...)
}

func (n *note) String() string {
	points := "1 point"
	if len(n.points) != 1 {
		points = fmt.Sprintf("%d points", len(n.points))
	}
	if n.pair.client.Name == "" {
		return fmt.Sprintf("The floor is missing at %s: %s.", points, n.reason)
	}
	reason := n.reason
	if lack, own := strings.CutPrefix(reason, n.pair.String()+" has "); own {
		reason = "it has " + lack
	}
	return fmt.Sprintf("%s is left out of %s: %s.", n.pair, points, reason)
}
