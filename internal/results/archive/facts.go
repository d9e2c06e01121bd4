package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"

	"rpcbench/internal/call/jsonbound"
	"rpcbench/internal/call/plain"
)

// factsVersion is the version of the files that hold Facts. Files of another version are kept and not read.
const factsVersion = 1

// Facts describe results beyond their content.
type Facts struct {
	Version   int       `json:"version"`
	Commit    string    `json:"commit,omitempty"` // of what was measured
	Committed time.Time `json:"committed,omitzero"`
	Branch    string    `json:"branch,omitempty"`
	HostClass string    `json:"host_class,omitempty"` // machines of one class and the same processors make one history
	Labels    []string  `json:"labels,omitempty"`
	Uploader  string    `json:"uploader,omitempty"`
	Added     time.Time `json:"added"`
}

var (
	commitForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._+/-]*$`)
	labelForm  = regexp.MustCompile(`^[0-9A-Za-z._=:/-]+$`)
)

// The lengths are checked apart from the forms, where they would take long to compile.
const (
	maxCommit = 100
	maxLabel  = 64
	maxWord   = 200 // characters of a name
	maxLabels = 32
)

// Check refuses invalid names. The error names the flag.
func (f Facts) Check() error {
	if f.Commit != "" && (len(f.Commit) > maxCommit || !commitForm.MatchString(f.Commit)) {
		return fmt.Errorf("commit: %q is not the name of a commit", plain.Short(f.Commit, 60))
	}
	for _, word := range []struct{ name, value string }{
		{"branch", f.Branch}, {"host class", f.HostClass}, {"uploader", f.Uploader},
	} {
		if len(word.value) > maxWord || word.value != plain.Line(word.value) || word.value != strings.TrimSpace(word.value) {
			return fmt.Errorf("%s: %q is not one line of at most %d characters", word.name, plain.Short(word.value, 60), maxWord)
		}
	}
	if len(f.Labels) > maxLabels {
		return fmt.Errorf("labels: %d are more than %d", len(f.Labels), maxLabels)
	}
	for _, label := range f.Labels {
		if len(label) > maxLabel || !labelForm.MatchString(label) {
			return fmt.Errorf("label: %q is not a label: use letters, digits, . _ = : / and -, at most %d characters",
				plain.Short(label, 60), maxLabel)
		}
	}
	if year := f.Committed.Year(); !f.Committed.IsZero() && (year < 1970 || year > 9999) {
		return errors.New("commit time: not between 1970 and 9999")
	}
	return nil
}

// maxFacts is the largest file of Facts.
const maxFacts = 64 << 10

var factsLimits = jsonbound.Limits{Depth: 4, Members: 100, Values: 200}

// ReadFacts reads Facts as they are kept and sent, and checks them.
func ReadFacts(text []byte) (Facts, error) {
	var f Facts
	if len(text) > maxFacts {
		return f, errors.New("facts: too long")
	}
	var kind struct {
		Version int `json:"version"`
	}
	if err := factsLimits.Check(text); err != nil {
		return f, fmt.Errorf("facts: %w", err)
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		return f, errors.New("facts: not JSON of an archive")
	}
	if kind.Version != factsVersion {
		return f, fmt.Errorf("facts of version %d, but this rpcbench reads version %d only", kind.Version, factsVersion)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return f, fmt.Errorf("facts: %s", plain.Short(err.Error(), maxWord))
	}
	return f, f.Check()
}

// factsAt reads a file of Facts, which may not exist. What is no file of its own may be endless, or wait for a writer.
func factsAt(path string) (Facts, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Facts{}, nil
	case err != nil:
		return Facts{}, fmt.Errorf("facts: %w", plain.Cause(err))
	case !info.Mode().IsRegular():
		return Facts{}, errors.New("facts: not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return Facts{}, fmt.Errorf("facts: %w", plain.Cause(err))
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFacts+1))
	if err != nil {
		return Facts{}, fmt.Errorf("facts: %w", plain.Cause(err))
	}
	return ReadFacts(text)
}

// Text returns the text that ReadFacts reads.
func (f Facts) Text() []byte {
	f.Version = factsVersion
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // strings and times that were checked
	}
	return append(text, '\n')
}
