// Package bundle collects a results file with all that belongs to it: the evidence of its trials, its report, what machine
// it was, and how to read them.
package bundle

import (
	"bytes"
	"path/filepath"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/result"
)

// Of collects what belongs to a results file. lost are files that trials left and that are no more.
func Of(results string) (packed archive.Archive, lost []string, err error) {
	file, err := result.ReadFile(results)
	if err != nil {
		return packed, nil, err
	}
	file.Name = filepath.Base(results) // as it is called in the archive
	folder := strings.TrimSuffix(results, ".jsonl") + ".evidence"
	evidence, err := archive.Under(folder, filepath.Base(folder))
	if err != nil {
		return packed, nil, err
	}
	for _, name := range lostEvidence(file, evidence) {
		lost = append(lost, filepath.Join(folder, name))
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
	if err := document.WriteJSON(&host, hostDescription{file.Header.Host, file.Header.Binary}); err != nil {
		return packed, nil, err
	}
	return archive.Archive{
		Folder: strings.TrimSuffix(file.Name, ".jsonl"), Modified: file.Header.Created,
		Files: append(evidence,
			archive.File{Name: file.Name, Path: results},
			archive.File{Name: "report.txt", Bytes: text.Bytes()},
			archive.File{Name: "host.json", Bytes: host.Bytes()},
			archive.File{Name: "README.txt", Bytes: []byte(plain.Lines(readme(file, filepath.Base(folder), len(evidence))))}),
	}, lost, nil
}

// hostDescription is where and with what was measured.
type hostDescription struct {
	Host   result.Host   `json:"host"`
	Binary result.Binary `json:"binary"`
}

// lostEvidence lists the files that trials left and that are no more in their folder.
func lostEvidence(file *result.File, found []archive.File) []string {
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
