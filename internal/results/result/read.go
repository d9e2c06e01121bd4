package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/call/plain"
)

// A File is the content of a results file.
type File struct {
	Name     string // as given by the user
	Header   Header
	Trials   []Trial  // one for each ID: the last that was written, in the place of the first
	Warnings []string // what could not be read, each with FILE:LINE
}

// leftOutMax is the maximum number of invalid lines in a file. Each becomes a warning that is kept and shown.
const leftOutMax = 100

// What is wrong with files that a run left before it had measured anything.
var (
	ErrEmpty = errors.New("the file is empty")
	ErrCut   = errors.New("cut off in its first line, so that it has no trials")
)

// ReadFile reads the results file at path.
func ReadFile(path string) (*File, error) {
	file, err := infile.OpenAgain(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file, path)
}

// Read reads a results file; name stands for it in errors and warnings. An invalid or truncated line becomes a warning, and the
// rest is read. An unreadable header, another version, a field unknown to this version, and more than a hundred invalid lines are
// errors.
func Read(r io.Reader, name string) (*File, error) {
	file, _, err := read(r, name)
	return file, err
}

// extent says how much of a file is whole.
type extent struct {
	size    int64 // of the whole lines, in bytes
	unended bool  // the last of them lacks its line feed
}

func read(r io.Reader, name string) (*File, extent, error) {
	lines := &lineReader{reader: bufio.NewReaderSize(r, 1<<16), name: name}
	header, err := lines.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, extent{}, err
	}
	file := &File{Name: name}
	if file.Header, err = readHeader(header, lines); err != nil {
		return nil, extent{}, err
	}
	if err := file.readTrials(lines); err != nil {
		return nil, extent{}, err
	}
	return file, lines.whole, nil
}

func (f *File) readTrials(lines *lineReader) error {
	places := map[string]int{}
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		trial, err := readTrial(line)
		var unknown *unknownFieldError
		switch {
		case err != nil && holdsHeader(line):
			return fmt.Errorf("%s: a second results file begins here: give the files separately", lines.where())
		case errors.As(err, &unknown):
			return at(lines.where(), err)
		case err != nil && lines.whole.unended:
			lines.dropLast()
			f.Warnings = append(f.Warnings, fmt.Sprintf("%s: cut off in the middle of a line; trials read before it: %d",
				lines.where(), len(f.Trials)))
		case err != nil:
			f.Warnings = append(f.Warnings, at(lines.where(), fmt.Errorf("not a trial, left out: %w", err)).Error())
		default:
			f.put(trial, places)
		}
		if len(f.Warnings) > leftOutMax {
			return fmt.Errorf("%s: more than %d lines are not trials", lines.where(), leftOutMax)
		}
	}
}

// put adds a trial, or replaces the one of the same ID: a trial that failed and was run again when resumed.
func (f *File) put(trial Trial, places map[string]int) {
	if place, ok := places[trial.ID]; ok {
		f.Trials[place] = trial
		return
	}
	places[trial.ID] = len(f.Trials)
	f.Trials = append(f.Trials, trial)
}

// maxSentence is the maximum length of an error about a line, which may quote a string of any length.
const maxSentence = 400

// at says where an error is.
func at(where string, err error) error {
	return fmt.Errorf("%s: %s", where, plain.Short(err.Error(), maxSentence))
}

func readHeader(line []byte, lines *lineReader) (Header, error) {
	where := lines.where()
	var kind struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if len(line) == 0 {
		return Header{}, fmt.Errorf("%s: %w", where, ErrEmpty)
	}
	if err := headerLimits.Check(line); err != nil {
		return Header{}, at(where, err)
	}
	err := json.Unmarshal(line, &kind)
	if err != nil && lines.whole.unended && begins(bytes.NewReader(line)) {
		return Header{}, fmt.Errorf("%s: %w", where, ErrCut)
	}
	if err != nil || kind.Format != Format {
		return Header{}, fmt.Errorf("%s: not a results file of rpcbench: its first line is not a header", where)
	}
	if kind.Version != Version {
		return Header{}, fmt.Errorf("%s: results of version %d, but this rpcbench reads version %d only",
			where, kind.Version, Version)
	}
	var header Header
	if err := decode(line, &header); err != nil {
		return Header{}, at(where, err)
	}
	for i, trial := range header.Plan {
		if err := trial.Check(); err != nil {
			return Header{}, at(where, fmt.Errorf("trial %d of the plan: %w", i+1, err))
		}
	}
	if err := header.Capacity.check(); err != nil {
		return Header{}, at(where, fmt.Errorf("capacity: %w", err))
	}
	if err := header.AB.check(); err != nil {
		return Header{}, at(where, fmt.Errorf("ab: %w", err))
	}
	return header, nil
}

func readTrial(line []byte) (Trial, error) {
	var trial Trial
	if err := trialLimits.Check(line); err != nil {
		return Trial{}, err
	}
	if err := decode(line, &trial); err != nil {
		return Trial{}, err
	}
	if trial.ID == "" {
		return Trial{}, errors.New("it has no id")
	}
	if trial.Status != StatusOK && trial.Status != StatusFailed {
		return Trial{}, fmt.Errorf("unknown status %q", trial.Status)
	}
	if n := trial.Spec.ClientCount(); trial.Status == StatusOK && len(trial.Clients) != n {
		return Trial{}, fmt.Errorf("it has the evidence of %d clients, and there were %d", len(trial.Clients), n)
	}
	for i := range trial.Clients {
		if trial.Status != StatusOK {
			break // what a failed one has is shown, and nothing is computed from it
		}
		if err := trial.Clients[i].CheckCounts(); err != nil {
			return Trial{}, err
		}
	}
	if trial.Repetition < 1 || trial.Repetition > RepetitionMax {
		return Trial{}, fmt.Errorf("repetition: %d is not between 1 and %d", trial.Repetition, RepetitionMax)
	}
	if err := checkHosts(trial.Hosts); err != nil {
		return Trial{}, err
	}
	if err := trial.Spec.Check(); err != nil {
		return Trial{}, err
	}
	return trial, nil
}

// An unknownFieldError names a field that this version of the format doesn't have: to drop it would be to ignore it.
type unknownFieldError struct{ field string }

func (e *unknownFieldError) Error() string {
	return fmt.Sprintf("unknown field %s: was this file written by a newer rpcbench?", e.field)
}

// mistyped says which field has a value of another type than it should have.
func mistyped(err *json.UnmarshalTypeError) error {
	given := err.Value
	if word, ok := map[string]string{
		"bool": "true or false", "array": "a list", "object": "an object", "string": "text", "number": "a number",
	}[given]; ok {
		given = word
	}
	if err.Field == "" {
		return fmt.Errorf("%s is given; expected %s", given, wanted(err.Type))
	}
	return fmt.Errorf("field %s: %s is given; expected %s", err.Field, given, wanted(err.Type))
}

// wanted describes the values of a type in JSON.
func wanted(is reflect.Type) string {
	switch is.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Pointer:
		return wanted(is.Elem())
	default:
		return "a whole number that fits"
	}
}

// decode reads exactly one JSON value without unknown fields.
func decode(line []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		// encoding/json has no type for this error.
		if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return &unknownFieldError{field}
		}
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return mistyped(wrong)
		}
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("more than one value on the line")
	}
	return nil
}
