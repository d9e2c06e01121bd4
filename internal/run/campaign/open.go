package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// Create makes a results file that is not there.
func Create(path string, head result.Header) (*result.Writer, error) {
	writer, err := result.Create(path, head)
	if errors.Is(err, fs.ErrExist) {
		if info, _ := os.Stat(path); info != nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a directory, not a file", path)
		}
		err = fmt.Errorf("%s exists already: choose another name, replace it with --overwrite, or continue it with --resume", path)
	}
	return writer, err
}

// Continue opens a results file to which trials are added, and returns those that it holds. It returns an error if the file is of
// another plan or search, or was measured in another way.
func Continue(path string, head result.Header, profiled bool) (*result.Writer, []result.Trial, error) {
	writer, old, err := result.OpenAppend(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s does not exist, so there is nothing to continue", path)
	}
	if errors.Is(err, result.ErrEmpty) {
		err = fmt.Errorf("%s is empty, so there is nothing to continue: leave out --resume", path)
	}
	if errors.Is(err, result.ErrCut) {
		err = fmt.Errorf("%w: replace it with --overwrite", err)
	}
	if err != nil {
		return nil, nil, err
	}
	if err := cmp.Or(CheckResume(path, old.Header, head), checkProfiled(path, head.Plan, old.Trials, profiled)); err != nil {
		return nil, nil, errors.Join(err, writer.Close())
	}
	return writer, old.Trials, nil
}

// checkProfiled returns an error if a file would mix trials with profiles and trials without: profiles cost time, so such trials
// can't be compared.
func checkProfiled(path string, planned []plan.Trial, old []result.Trial, profiled bool) error {
	if len(planned) > 0 && len(Missing(planned, old)) == 0 {
		return nil
	}
	for _, t := range old {
		switch {
		case t.Status != result.StatusOK || t.Profiled == profiled:
		case t.Profiled:
			return fmt.Errorf("the trials of %s were profiled: give --profile too", path)
		default:
			return fmt.Errorf("the trials of %s were not profiled: leave out --profile", path)
		}
	}
	return nil
}
