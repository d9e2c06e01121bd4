package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"rpcbench/internal/report/formats"
	"rpcbench/internal/results/result"
)

// saveFlags name files that load writes in addition to its results, when everything is measured.
type saveFlags struct {
	histogram string
	hlog      string
}

func (f *saveFlags) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.histogram, "save-histogram", "",
		"write response times to `file` as an HdrHistogram percentile distribution")
	flags.StringVar(&f.hlog, "save-hlog", "", "write response times to `file` as an HdrHistogram interval log")
}

// each calls do for every file that is asked for.
func (f *saveFlags) each(do func(path string, write func(io.Writer, []result.Trial) error) error) error {
	for _, file := range []struct {
		flag, path string
		write      func(io.Writer, []result.Trial) error
	}{
		{"--save-histogram", f.histogram, formats.WriteHgrm},
		{"--save-hlog", f.hlog, formats.WriteHlog},
	} {
		if file.path == "" {
			continue
		}
		if err := do(file.path, file.write); err != nil {
			return fmt.Errorf("%s: %w", file.flag, err)
		}
	}
	return nil
}

// checkFiles refuses outputs that would overwrite each other, or an input.
func (f *loadFlags) checkFiles(read []string) error {
	others := append(arguments(read), namedFile{"--out", f.out})
	if f.scenario != "" {
		output := namedFile{"--" + saveScenario, f.scenario}
		if err := checkOverwrite(output, others); err != nil {
			return err
		}
		others = append(others, output)
	}
	return f.saveFlags.check(others)
}

// saveScenario is the flag that has flags written as a scenario.
const saveScenario = "save-scenario"

// checkScenario refuses, before anything is sent, flags that no file may hold.
func (f *loadFlags) checkScenario(c writtenCase) error {
	if f.scenario == "" {
		return nil
	}
	if err := c.CheckStored(); err != nil {
		return fmt.Errorf("--%s: %w", saveScenario, err)
	}
	return nil
}

// saveScenario writes the flags as a scenario, if that is asked for.
func (f *loadFlags) saveScenario(c writtenCase) error {
	if f.scenario == "" {
		return nil
	}
	text, err := c.Format(c.overrides)
	if err != nil {
		return fmt.Errorf("--%s: %w", saveScenario, err)
	}
	file, err := os.OpenFile(f.scenario, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--%s: %s exists already: choose another name", saveScenario, f.scenario)
	}
	if err != nil {
		return fmt.Errorf("--%s: %w", saveScenario, err)
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// check refuses, before anything is measured, a file that could not be written then, or that would be written over one of
// the others.
func (f *saveFlags) check(others []namedFile) error {
	for _, output := range []namedFile{{"--save-histogram", f.histogram}, {"--save-hlog", f.hlog}} {
		if output.path == "" {
			continue
		}
		if err := cmp.Or(checkOverwrite(output, others), checkWritable(output)); err != nil {
			return err
		}
		others = append(others, output)
	}
	return nil
}

// save writes the files from the results.
func (f *saveFlags) save(results string) error {
	if f.histogram == "" && f.hlog == "" {
		return nil
	}
	file, err := result.ReadFile(results)
	if err != nil {
		return failed(err)
	}
	return orFailed(f.each(func(path string, write func(io.Writer, []result.Trial) error) error {
		out, err := os.Create(path)
		if err != nil {
			return err
		}
		return errors.Join(write(out, file.Trials), out.Close())
	}))
}
