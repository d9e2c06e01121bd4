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

// A measured is a file of a side: ours, or another tool's.
type measured struct {
	name   string
	report *analysis.Report // nil of another tool's
	other  compare.Set
}

// side makes a side of one file.
func (m *measured) side(of compare.Selection) compare.Set {
	if m.report == nil {
		return m.other
	}
	return compare.FromReport(m.name, m.report, of)
}

// otherTools reads a file of go test -bench or of JMH.
func otherTools(name string, of compare.Selection) (set compare.Set, err error) {
	beginning, err := sniff(name)
	if err != nil {
		return set, err
	}
	if jmh.Is(beginning) {
		file, err := jmh.ReadFile(name)
		if err != nil {
			return set, err
		}
		set = compare.FromJMH(file)
		return set.Chosen(of)
	}
	file, err := infile.OpenAgain(name)
	if err != nil {
		return set, err
	}
	defer file.Close()
	if set, err = compare.FromGoBench(name, file); err != nil {
		return set, err
	}
	return set.Chosen(of)
}

// Sides reads the sides of a comparison: each group of files is one, measured as often as it has files, or an axis, which
// the user calls by, parts all files together. The base comes first, where it is not the first anyway.
func Sides(groups [][]string, of compare.Selection, by, base string) ([]compare.Set, error) {
	if of.By != nil {
		return parted(slices.Concat(groups...), of, by, base)
	}
	files, notes := make([][]measured, len(groups)), make([][]string, len(groups))
	for i, names := range groups {
		var err error
		if files[i], notes[i], err = read(names, of); err != nil {
			return nil, err
		}
		of.Scenarios = of.Scenarios || slices.ContainsFunc(files[i], func(m measured) bool {
			return m.report != nil && compare.SeveralScenarios(m.report)
		})
	}
	sides := make([]compare.Set, len(groups))
	for i, names := range groups {
		sides[i] = together(names, files[i], of)
		sides[i].Notes = append(sides[i].Notes, notes[i]...)
	}
	return sides, nil
}

// together makes a side of its files.
func together(names []string, files []measured, of compare.Selection) compare.Set {
	var sets []compare.Set
	for _, file := range files {
		sets = append(sets, file.side(of))
	}
	if len(sets) == 1 {
		return sets[0]
	}
	return compare.Together(fmt.Sprintf("%s and %d more", names[0], len(names)-1), sets)
}

// read reads the files of one side, those of other tools first. The notes say what is left out because another file has it.
func read(names []string, of compare.Selection) (all []measured, notes []string, err error) {
	var files []*result.File
	for _, name := range names {
		isOurs, err := isResults(name)
		if err != nil {
			return nil, nil, err
		}
		if !isOurs {
			set, err := otherTools(name, of)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, measured{name: name, other: set})
			continue
		}
		file, err := result.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, file)
	}
	files, notes = analysis.Apart(files)
	for _, file := range files {
		if err := choose([]*result.File{file}, of.Choice); err != nil {
			return nil, nil, err
		}
		built, err := analysis.Build([]*result.File{file})
		if err != nil {
			return nil, nil, err
		}
		all = append(all, measured{name: file.Name, report: built})
	}
	return all, notes, nil
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
