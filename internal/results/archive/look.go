package archive

import (
	"os"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
)

// look reads a file and its description. An unreadable file is an entry too, with the reason; nil means that there is none. Only
// entries with a commit, which have a history, have figures.
func (d *Dir) look(name string) (*Entry, []compare.Figure) {
	info, err := os.Lstat(d.at(name))
	if err != nil {
		return nil, nil
	}
	entry := &Entry{Name: name, Bytes: info.Size(), Created: info.ModTime().UTC(), Scenarios: []string{}, Stacks: []string{}}
	unread := func(err error) (*Entry, []compare.Figure) {
		why := err.Error()
		if place, ok := strings.CutPrefix(why, name+":"); ok { // the entry has the name
			why = "line " + place
		}
		entry.Unread = plain.Short(why, maxWord)
		return entry, nil
	}
	if entry.Facts, err = factsAt(d.at(factsOf(name))); err != nil {
		entry.Facts = Facts{}
		return unread(err)
	}
	opened, err := os.Open(d.at(name))
	if err != nil {
		return unread(err)
	}
	defer opened.Close()
	file, err := result.Read(opened, name)
	if err != nil {
		return unread(err)
	}
	entry.describe(file)
	if entry.Commit == "" || entry.Trials == 0 {
		return entry, nil
	}
	figures, err := figuresOf(file)
	if err != nil {
		return unread(err)
	}
	return entry, figures
}
