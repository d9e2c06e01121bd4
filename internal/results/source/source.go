// Package source reads results files, rpcbench's and those of other tools, by what is in them.
package source

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/infile"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/jmh"
	"rpcbench/internal/results/result"
)

// Report reads rpcbench's files into one report of the points that are chosen.
func Report(names []string, choice point.Choice) (*analysis.Report, error) {
	return report(names, choice, analysis.Build)
}

// ReportByClient is Report with a row for each client.
func ReportByClient(names []string, choice point.Choice) (*analysis.Report, error) {
	return report(names, choice, analysis.BuildByClient)
}

func report(
	names []string, choice point.Choice, build func([]*result.File) (*analysis.Report, error),
) (*analysis.Report, error) {
	var files []*result.File
	for _, name := range names {
		file, err := result.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if err := choose(files, choice); err != nil {
		return nil, err
	}
	return build(files)
}

// Side reads a file of rpcbench, of go test -bench, or of JMH as a side of a comparison.
func Side(name string, of compare.Selection) (compare.Set, error) {
	beginning, err := sniff(name)
	switch {
	case err != nil:
		return compare.Set{}, err
	case jmh.Is(beginning):
		file, err := jmh.ReadFile(name)
		if err != nil {
			return compare.Set{}, err
		}
		set := compare.FromJMH(file)
		return set.Chosen(of)
	case compare.IsGoBench(beginning):
		file, err := infile.OpenAgain(name)
		if err != nil {
			return compare.Set{}, err
		}
		defer file.Close()
		set, err := compare.FromGoBench(name, file)
		if err != nil {
			return set, err
		}
		return set.Chosen(of)
	}
	file, err := result.ReadFile(name)
	if err != nil {
		return compare.Set{}, err
	}
	return sideOf(file, of)
}

// sideOf makes a side of a file of rpcbench.
func sideOf(file *result.File, of compare.Selection) (compare.Set, error) {
	if err := choose([]*result.File{file}, of.Choice); err != nil {
		return compare.Set{}, err
	}
	built, err := analysis.Build([]*result.File{file})
	if err != nil {
		return compare.Set{}, err
	}
	return compare.FromReport(file.Name, built, of), nil
}

// Sides reads the sides of a comparison: each group of files is one, measured as often as it has files, or an axis, which
// the user calls by, parts all files together. The base comes first, where it is not the first anyway.
func Sides(groups [][]string, of compare.Selection, by, base string) ([]compare.Set, error) {
	if of.By != nil {
		return parted(slices.Concat(groups...), of, by, base)
	}
	var sides []compare.Set
	for _, names := range groups {
		side, err := together(names, of)
		if err != nil {
			return nil, err
		}
		sides = append(sides, side)
	}
	return sides, nil
}

// together reads the files of one side.
func together(names []string, of compare.Selection) (compare.Set, error) {
	if len(names) == 1 {
		return Side(names[0], of)
	}
	var sets []compare.Set
	var files []*result.File
	for _, name := range names {
		isOurs, err := isResults(name)
		if err != nil {
			return compare.Set{}, err
		}
		if isOurs {
			file, err := result.ReadFile(name)
			if err != nil {
				return compare.Set{}, err
			}
			files = append(files, file)
			continue
		}
		set, err := Side(name, of)
		if err != nil {
			return set, err
		}
		sets = append(sets, set)
	}
	files, notes := analysis.Apart(files)
	for _, file := range files {
		set, err := sideOf(file, of)
		if err != nil {
			return set, err
		}
		sets = append(sets, set)
	}
	sets[0].Notes = append(sets[0].Notes, notes...)
	if len(sets) == 1 {
		return sets[0], nil
	}
	return compare.Together(fmt.Sprintf("%s and %d more", names[0], len(names)-1), sets), nil
}

// isResults reports whether a file is neither of go test -bench nor of JMH.
func isResults(name string) (bool, error) {
	beginning, err := sniff(name)
	return !jmh.Is(beginning) && !compare.IsGoBench(beginning), err
}

func parted(names []string, of compare.Selection, by, base string) ([]compare.Set, error) {
	built, err := Report(names, of.Choice)
	if err != nil {
		return nil, err
	}
	sides := compare.ByAxis(built, of)
	var values []string
	for _, side := range sides {
		values = append(values, side.Name)
	}
	if len(sides) < 2 {
		return nil, fmt.Errorf("--by %s: all rows have %s, so there is nothing to compare", by, strings.Join(values, ""))
	}
	if base != "" {
		i := slices.Index(values, base)
		if i < 0 {
			return nil, fmt.Errorf("--base: no row has the %s %q%s", by, base, hint.Of(base, values))
		}
		first := sides[i]
		sides = slices.Insert(slices.Delete(sides, i, i+1), 0, first)
	}
	return sides, nil
}

// JMH reads the files if they are results of JMH, and returns none if they are rpcbench's own.
func JMH(names []string) ([]*jmh.File, error) {
	var files []*jmh.File
	for _, name := range names {
		beginning, err := sniff(name)
		if err != nil {
			return nil, err
		}
		if !jmh.Is(beginning) {
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

// sniffBytes is enough to tell whose results a file holds.
const sniffBytes = 512

// sniff reads the beginning of a file.
func sniff(name string) ([]byte, error) {
	file, err := infile.OpenAgain(name)
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
