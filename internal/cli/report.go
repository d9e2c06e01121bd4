package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/compare"
	"rpcbench/internal/report"
	"rpcbench/internal/result"
)

type reportFlags struct {
	format string
	output string // a file, or a folder for hgrm; empty is standard output
}

// report prints results files.
func (e *env) report() *cobra.Command {
	var flags reportFlags
	command := &cobra.Command{
		Use:   "report FILE.jsonl ...",
		Short: "Print what results files hold, in any format",
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("report needs at least one results file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error { return e.reportFiles(files, flags) },
	}
	command.Flags().StringVar(&flags.format, "format", report.FormatText, strings.Join(report.Formats(), ", "))
	command.Flags().StringVar(&flags.output, "output", "", "write to this file (for hgrm: into this folder)")
	return command
}

func (e *env) reportFiles(names []string, flags reportFlags) error {
	if err := checkFormat(flags.format, report.Formats()); err != nil {
		return err
	}
	if flags.format == report.FormatHgrm && flags.output == "" {
		return badInput(errors.New("--format hgrm makes several files: name their folder with --output"))
	}
	built, err := read(names)
	if err != nil {
		return badInput(err)
	}
	for _, warning := range built.Warnings {
		fmt.Fprintf(e.err, "warning: %s\n", warning)
	}
	if flags.format == report.FormatHgrm {
		return e.reportFolder(built, flags.output)
	}
	return e.reportStream(built, flags)
}

func read(names []string) (*compare.Report, error) {
	var files []*result.File
	for _, name := range names {
		file, err := result.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return compare.Build(files)
}

func (e *env) reportFolder(built *compare.Report, folder string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return badInput(fmt.Errorf("--output: %s is a file, where --format hgrm needs a folder", folder))
	}
	written, err := report.WriteDir(folder, built)
	if err != nil {
		return failed(err)
	}
	fmt.Fprintf(e.err, "%s in %s\n", count(len(written), "file"), folder)
	return nil
}

func (e *env) reportStream(built *compare.Report, flags reportFlags) error {
	if flags.output == "" {
		options := report.Options{Color: isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == ""}
		return orFailed(report.Write(e.out, flags.format, built, options))
	}
	file, err := os.Create(flags.output)
	if err != nil {
		return badInput(fmt.Errorf("--output: %w", err))
	}
	return orFailed(errors.Join(report.Write(file, flags.format, built, report.Options{}), file.Close()))
}

func orFailed(err error) error {
	if err == nil {
		return nil
	}
	return failed(err)
}

// streams are the formats that are one stream.
func streams() []string {
	return slices.DeleteFunc(report.Formats(), func(f string) bool { return f == report.FormatHgrm })
}
