package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/report"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/result"
)

// bundle packs a results file with all that belongs to it.
func (e *env) bundle() *cobra.Command {
	var output string
	command := &cobra.Command{
		Use:   "bundle FILE.jsonl",
		Short: "Pack a results file, its evidence and its report into one archive",
		Args:  oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.bundleFile(args[0], output)
		},
	}
	command.Flags().StringVar(&output, "output", "", "the archive; FILE.tar.gz when not given")
	return command
}

func oneFile(command *cobra.Command, args []string) error {
	if len(args) != 1 {
		return badInput(fmt.Errorf("%s needs one results file", command.Name()))
	}
	return nil
}

func (e *env) bundleFile(results, output string) error {
	if output == "" {
		output = strings.TrimSuffix(results, ".jsonl") + ".tar.gz"
	}
	packed, err := e.pack(results)
	if err != nil {
		return badInput(err)
	}
	err = archive.Create(output, packed)
	switch {
	case errors.Is(err, fs.ErrExist):
		return badInput(fmt.Errorf("--output: %s exists already: choose another name", output))
	case err != nil:
		return failed(err)
	}
	fmt.Fprintf(e.err, "%s in %s; its README.txt says how to read them\n", count(len(packed.Files), "file"), output)
	return nil
}

// pack collects what belongs to a results file, and says what is missing.
func (e *env) pack(results string) (archive.Archive, error) {
	file, err := result.ReadFile(results)
	if err != nil {
		return archive.Archive{}, err
	}
	file.Name = filepath.Base(results) // as it is called in the archive
	folder := strings.TrimSuffix(results, ".jsonl") + ".evidence"
	evidence, err := archive.Under(folder, filepath.Base(folder))
	if err != nil {
		return archive.Archive{}, err
	}
	for _, lost := range lostEvidence(file, evidence) {
		fmt.Fprintf(e.err, "warning: a trial left %s, and it is not there\n", filepath.Join(folder, lost))
	}
	var text bytes.Buffer
	built, err := analysis.Build([]*result.File{file})
	if err == nil {
		err = report.Write(&text, report.FormatText, built, report.Options{})
	}
	if err != nil {
		return archive.Archive{}, err
	}
	host, err := json.MarshalIndent(hostDescription{file.Header.Host, file.Header.Binary}, "", "  ")
	if err != nil {
		return archive.Archive{}, err
	}
	return archive.Archive{
		Folder: strings.TrimSuffix(file.Name, ".jsonl"), Modified: file.Header.Created,
		Files: append(evidence,
			archive.File{Name: file.Name, Path: results},
			archive.File{Name: "report.txt", Bytes: text.Bytes()},
			archive.File{Name: "host.json", Bytes: append(host, '\n')},
			archive.File{Name: "README.txt", Bytes: []byte(readme(file, filepath.Base(folder), len(evidence)))}),
	}, nil
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
