package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"rpcbench/internal/report"
	"rpcbench/internal/results/jmh"
)

// sniffBytes is enough to tell whose results a file holds.
const sniffBytes = 512

// jmhFiles reads the files if they are results of JMH, and returns none if they are rpcbench's own.
func jmhFiles(names []string) ([]*jmh.File, error) {
	var files []*jmh.File
	for _, name := range names {
		theirs, err := isJMH(name)
		if err != nil {
			return nil, err
		}
		if !theirs {
			continue
		}
		file, err := jmh.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) > 0 && len(files) < len(names) {
		return nil, errors.New("results of JMH and of rpcbench can't be in one report")
	}
	if len(files) > 2 {
		return nil, fmt.Errorf("one file of JMH's results is printed, two are set side by side; these are %d", len(files))
	}
	return files, nil
}

func isJMH(name string) (bool, error) {
	beginning, err := sniff(name)
	return jmh.Is(beginning), err
}

// sniff reads the beginning of a file.
func sniff(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	beginning := make([]byte, sniffBytes)
	n, err := io.ReadFull(file, beginning)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return beginning[:n], nil
}

// reportJMH prints results of JMH.
func (e *env) reportJMH(files []*jmh.File, flags reportFlags, err error) error {
	switch {
	case err != nil:
		return badInput(err)
	case flags.reference != "":
		return badInput(errors.New("--reference: there are no published figures for results of JMH"))
	case flags.maxLatency != "":
		return badInput(errors.New("--max-latency: results of JMH have no batches"))
	}
	if err := checkFormat(flags.format, report.FormatsOfJMH()); err != nil {
		return err
	}
	return e.print(flags.output, report.Options{}, func(w io.Writer, options report.Options) error {
		return report.WriteJMH(w, flags.format, files, options)
	})
}
