// Package bundle packs a results file together with the evidence of its trials, its report, a description of the machine, and
// instructions for reading them.
package bundle

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/evidence"
	"rpcbench/internal/results/pack"
	"rpcbench/internal/results/result"
)

// The choices for heap dumps, which contain the memory of a process: its keys, and what it sent and received.
const (
	IncludeHeapDumps = "include"
	OmitHeapDumps    = "omit"
)

// A HeapDumpError names a heap dump for which the user has not made a choice.
type HeapDumpError struct{ Path string }

func (e *HeapDumpError) Error() string {
	return e.Path + " is a heap dump: it holds what was in memory, such as keys and payloads"
}

// Of collects everything that belongs to a results file. lost lists files that trials left and that no longer exist. It returns a
// *HeapDumpError if there are heap dumps and consent, the choice for them, is empty.
func Of(results, consent string) (packed pack.Archive, lost []string, err error) {
	file, err := result.ReadFile(results)
	if err != nil {
		return packed, nil, err
	}
	file.Name = filepath.Base(results) // as it is called in the archive
	folder := evidence.FolderOf(results)
	left, err := pack.Under(folder, filepath.Base(folder))
	if err != nil {
		return packed, nil, err
	}
	for _, name := range lostEvidence(file, left) {
		lost = append(lost, filepath.Join(folder, name))
	}
	dumps, err := heapDumps(left)
	if err != nil {
		return packed, nil, err
	}
	switch {
	case len(dumps) == 0 || consent == IncludeHeapDumps:
	case consent == OmitHeapDumps:
		left = slices.DeleteFunc(left, func(f pack.File) bool { return dumps[f.Name] })
		clear(dumps)
	default:
		first := slices.IndexFunc(left, func(f pack.File) bool { return dumps[f.Name] })
		return packed, nil, &HeapDumpError{filepath.Join(folder, left[first].Path)}
	}
	var text bytes.Buffer
	built, err := analysis.Build([]*result.File{file})
	if err == nil {
		err = report.Write(&text, report.FormatText, built, report.Options{})
	}
	if err != nil {
		return packed, nil, err
	}
	var host bytes.Buffer
	if err := document.WriteJSON(&host, hostDescription{file.Header.Hosts, file.Header.Binary}); err != nil {
		return packed, nil, err
	}
	return pack.Archive{
		Folder: strings.TrimSuffix(file.Name, ".jsonl"), Modified: file.Header.Created,
		Private: len(dumps) > 0,
		Files: append(left,
			pack.File{Name: file.Name, Path: results},
			pack.File{Name: "report.txt", Bytes: text.Bytes()},
			pack.File{Name: "host.json", Bytes: host.Bytes()},
			pack.File{Name: "README.txt", Bytes: []byte(plain.Lines(readme(file, filepath.Base(folder), len(left))))}),
	}, lost, nil
}

// hostDescription describes the machine and the program that measured.
type hostDescription struct {
	Hosts  []result.Host `json:"hosts"`
	Binary result.Binary `json:"binary"`
}

// heapDumps returns the names of the heap dumps among files.
func heapDumps(files []pack.File) (map[string]bool, error) {
	dumps := map[string]bool{}
	for _, f := range files {
		begin, err := f.Begin(evidence.DumpMark)
		if err != nil {
			return nil, err
		}
		if evidence.IsHeapDump(f.Name, begin) {
			dumps[f.Name] = true
		}
	}
	return dumps, nil
}

// lostEvidence lists the files that trials left and that are no longer in their folder.
func lostEvidence(file *result.File, found []pack.File) []string {
	there := map[string]bool{}
	for _, f := range found {
		there[filepath.Base(f.Name)] = true
	}
	var lost []string
	for _, trial := range file.Trials {
		for _, name := range trial.Evidence {
			if !there[name] {
				lost = append(lost, name)
			}
		}
	}
	return lost
}
