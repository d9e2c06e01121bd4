package archive

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Trunk says which entries a check compares.
type Trunk struct {
	Commit  string // that is checked, or the beginning of its name; "" is the last one of the branch
	Branch  string // that it is compared with; "" is its own
	Commits int    // of the branch before it, at most
}

// A Pair is what a check compares: the results of a commit and of earlier commits, all from one machine.
type Pair struct {
	Machine      string
	Commit       string
	Before, Last []string // names of results files, the oldest first
	Commits      int      // how many Before is of
}

// A FirstError says that the commit to be checked is the first one, so that there is nothing yet to compare it with.
type FirstError struct{ Commit string }

func (e *FirstError) Error() string {
	return fmt.Sprintf("%s is the first commit with results, so there is nothing to compare it with yet", e.Commit)
}

// Pairs returns a Pair for each machine on which the commit was measured. Entries are in order; unreadable ones don't count.
// The error is a *FirstError if there is no earlier commit at all, of any branch and machine.
func (t Trunk) Pairs(entries []Entry) ([]Pair, error) {
	entries = slices.DeleteFunc(withoutCopies(entries), func(e Entry) bool {
		return e.Unread != "" || e.Commit == "" || e.Trials+e.Failed == 0
	})
	order := orderOf(entries)
	last, err := t.last(entries, order)
	if err != nil {
		return nil, err
	}
	if order[last.Commit] == 0 {
		return nil, &FirstError{last.Commit}
	}
	branch := t.Branch
	if branch == "" {
		branch = last.Branch
	}
	var pairs []Pair
	for _, e := range entries {
		if e.Commit != last.Commit {
			continue
		}
		i := slices.IndexFunc(pairs, func(p Pair) bool { return p.Machine == e.Machine })
		if i < 0 {
			i = len(pairs)
			pairs = append(pairs, Pair{Machine: e.Machine, Commit: e.Commit})
		}
		pairs[i].Last = append(pairs[i].Last, e.Name)
	}
	for i := range pairs {
		pairs[i].before(entries, branch, order, t.Commits)
	}
	found := slices.DeleteFunc(slices.Clone(pairs), func(p Pair) bool { return p.Commits == 0 })
	if len(found) == 0 {
		return nil, fmt.Errorf("no commit before %s was measured on the same machine%s (%s)", last.Commit, onBranch(branch),
			pairs[0].Machine)
	}
	return found, nil
}

func onBranch(branch string) string {
	if branch == "" {
		return ""
	}
	return " on branch " + branch
}

// orderOf numbers commits as they were first measured: one that is measured again stays where it is.
func orderOf(entries []Entry) map[string]int {
	order := map[string]int{}
	for _, e := range entries {
		if _, known := order[e.Commit]; !known {
			order[e.Commit] = len(order)
		}
	}
	return order
}

// last is an entry of the commit that is checked.
func (t Trunk) last(entries []Entry, order map[string]int) (*Entry, error) {
	var last *Entry
	whole := slices.ContainsFunc(entries, func(e Entry) bool { return e.Commit == t.Commit })
	for i := range entries {
		e := &entries[i]
		switch {
		case !strings.HasPrefix(e.Commit, t.Commit), t.Commit == "" && t.Branch != "" && e.Branch != t.Branch:
			continue
		case whole && e.Commit != t.Commit:
			continue // which only begins as the commit does
		case last != nil && t.Commit != "" && last.Commit != e.Commit:
			return nil, fmt.Errorf("%s is the beginning of several commits: %s, %s", t.Commit, last.Commit, e.Commit)
		}
		if last == nil || order[e.Commit] > order[last.Commit] {
			last = e
		}
	}
	switch {
	case last == nil && t.Commit != "":
		return nil, fmt.Errorf("the archive has no results of commit %s", t.Commit)
	case last == nil:
		return nil, errors.New("the archive has no results with a commit" + onBranch(t.Branch))
	}
	return last, nil
}

// before fills in the newest commits of the branch that are older than the pair's, and have trials to compare with.
func (p *Pair) before(entries []Entry, branch string, order map[string]int, most int) {
	entries = slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool {
		return e.Trials == 0 || e.Machine != p.Machine || e.Branch != branch || order[e.Commit] >= order[p.Commit]
	})
	var commits []string
	for _, e := range entries {
		if !slices.Contains(commits, e.Commit) {
			commits = append(commits, e.Commit)
		}
	}
	slices.SortFunc(commits, func(a, b string) int { return order[a] - order[b] })
	commits = commits[max(len(commits)-most, 0):]
	for _, e := range entries {
		if slices.Contains(commits, e.Commit) {
			p.Before = append(p.Before, e.Name)
		}
	}
	p.Commits = len(commits)
}
