package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report"
	"rpcbench/internal/report/archivetable"
	"rpcbench/internal/report/comparison"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
)

// checkFlags holds the flags of archive check.
type checkFlags struct {
	query queryFlags
	token tokenFlags
	trunk archive.Trunk
	compareFlags
}

// archiveCheck compares the last commit with those before it.
func (e *env) archiveCheck() *cobra.Command {
	var flags checkFlags
	command := &cobra.Command{
		Use:   "check DIR|URL",
		Short: "Compare the last commit with those before it, as compare does",
		Example: "  rpcbench archive check history --branch main --fail-on 'response_p99>+5%'\n" +
			"  rpcbench archive check history --commit 3f2a9c1 --branch main \\\n    --format markdown",
		RunE: func(command *cobra.Command, args []string) error {
			return e.checkArchive(command.Context(), &flags, args)
		},
	}
	f := command.Flags()
	flags.query.machineFlags(f)
	f.Lookup("branch").Usage = "`branch` to compare with (default: that of the commit)"
	f.StringVar(&flags.trunk.Commit, "commit", "", "`commit` to check (default: the last one of the branch)")
	f.IntVar(&flags.trunk.Commits, "commits", 10, "largest `number` of commits to compare with")
	f.StringArrayVar(&flags.metrics, "metric", nil,
		"`metric` to compare, a CSV column, with or without its unit; repeatable (default: the headlines of each row)")
	flags.changeFlags.flags(f)
	addFormat(f, &flags.format, outputFormat, comparison.Formats())
	f.StringVar(&flags.output, "output", "", "write to `file`")
	flags.token.flags(f)
	return command
}

func (e *env) checkArchive(ctx context.Context, flags *checkFlags, args []string) error {
	selection, err := flags.read(args)
	if err != nil {
		return badInput(err)
	}
	place, release, err := flags.token.open(args, false)
	if err != nil {
		return badInput(err)
	}
	defer release()
	ctx, restore := interruptible(ctx, nothing, nothing)
	defer restore()
	query := flags.query.Query
	flags.trunk.Branch, query.Branch = query.Branch, "" // the commit may be of another
	entries, err := e.entriesToCheck(ctx, place, query)
	if err != nil {
		return orInterrupted(ctx, orRefused(err))
	}
	pairs, err := flags.trunk.Pairs(entries)
	if first := new(archive.FirstError); errors.As(err, &first) {
		fmt.Fprintf(e.err, "%v\n", first)
		return nil
	}
	if err != nil {
		return badInput(err)
	}
	if several := flags.format != document.Text && flags.format != document.Markdown; several && len(pairs) > 1 {
		return badInput(fmt.Errorf("the commit was measured on %d machines: choose one by --host-class for --format %s", len(pairs),
			flags.format))
	}
	compared, err := comparePairs(ctx, place, pairs, selection, flags.same)
	if err != nil {
		return orInterrupted(ctx, orBadInput(err))
	}
	return e.sayChecked(flags, args[0], compared)
}

// entriesToCheck returns the entries that a query selects, and says how many of the archive can't be read.
func (e *env) entriesToCheck(ctx context.Context, place archivePlace, query archive.Query) ([]archive.Entry, error) {
	entries, err := place.List(ctx, query)
	all := entries
	if err == nil && (query.Scenario != "" || query.HostClass != "") {
		all, err = place.List(ctx, archive.Query{}) // of what can't be read, neither is known
	}
	unread := 0
	for i := range all {
		if all[i].Unread != "" {
			unread++
		}
	}
	if unread > 0 {
		fmt.Fprintf(e.err, "left out: %s that can't be read; rpcbench archive list says why\n", number.Count(unread, "results file"))
	}
	return entries, err
}

// sayChecked prints the comparisons, and returns what they say to the limits.
func (e *env) sayChecked(flags *checkFlags, archived string, compared []*compare.Comparison) error {
	all := make([][]limitation, len(compared))
	var judged error
	for i, one := range compared {
		var err error
		if all[i], err = flags.limitations(one); err != nil {
			judged = err
		}
	}
	if err := e.print(flags.output, report.Options{}, func(w io.Writer, options report.Options) error {
		for i, one := range compared {
			if i > 0 {
				fmt.Fprintln(w)
			}
			limits := document.Checks{Of: archived, List: flags.checks(all[i])}
			if err := comparison.Write(w, flags.format, one, limits, options.Style); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for _, limitations := range all {
		if err := flags.judge(e.err, limitations); err != nil {
			judged = graver(err, judged)
		}
	}
	return judged
}

// read reads the flags.
func (f *checkFlags) read(args []string) (compare.Selection, error) {
	if err := errors.Join(only(args, 1, "check"), checkFormat(f.format, comparison.Formats()), f.check(),
		f.checkJUnit(f.format)); err != nil {
		return compare.Selection{}, err
	}
	if f.output != "" {
		if err := checkOverwrite(namedFile{"--output", f.output}, nil); err != nil {
			return compare.Selection{}, err
		}
	}
	if f.trunk.Commits < 1 {
		return compare.Selection{}, fmt.Errorf("--commits %d: at least 1", f.trunk.Commits)
	}
	if err := f.checkNames(func(string) bool { return false }); err != nil {
		return compare.Selection{}, err
	}
	return f.selection()
}

func comparePairs(
	ctx context.Context, place archivePlace, pairs []archive.Pair, of compare.Selection, same float64,
) (compared []*compare.Comparison, err error) {
	for _, pair := range pairs {
		one, err := comparePair(ctx, place, pair, of, same)
		if err != nil {
			return nil, err
		}
		compared = append(compared, one)
	}
	return compared, nil
}

// comparePair reads the files of both sides. Each file is one occasion.
func comparePair(
	ctx context.Context, place archivePlace, pair archive.Pair, of compare.Selection, same float64,
) (*compare.Comparison, error) {
	before, err := sideOf(ctx, place, number.Count(pair.Commits, "commit")+" before", pair.Before, of)
	if err != nil {
		return nil, err
	}
	last, err := sideOf(ctx, place, archivetable.Commit(pair.Commit), pair.Last, of)
	if err != nil {
		return nil, err
	}
	compared, err := compare.Of(same, before, last)
	if err == nil {
		compared.Before = append([]string{"Machine: " + pair.Machine + "."}, compared.Before...)
	}
	return compared, err
}

func sideOf(ctx context.Context, place archivePlace, name string, files []string, of compare.Selection) (compare.Set, error) {
	var read []*result.File
	for _, name := range files {
		file, err := archivedFile(ctx, place, name)
		if err != nil {
			return compare.Set{}, err
		}
		read = append(read, file)
	}
	apart, notes := analysis.Apart(read) // results that were resumed may be there from before that, too
	var sets []compare.Set
	for _, file := range apart {
		set, err := archive.SetOf(file, of)
		if err != nil {
			return set, err
		}
		set.Machine = "" // the pair has one, whatever its hosts are called
		sets = append(sets, set)
	}
	sets[0].Notes = append(sets[0].Notes, notes...)
	if len(sets) == 1 {
		sets[0].Name = name
		return sets[0], nil
	}
	return compare.Together(name, sets), nil
}

// archivedFile reads a results file of an archive. That it could not be fetched is a failure, and bad input what it says.
func archivedFile(ctx context.Context, place archivePlace, name string) (*result.File, error) {
	opened, err := place.Open(ctx, name)
	if err != nil {
		return nil, orRefused(err)
	}
	defer opened.Close()
	fetched := &fetching{from: opened}
	file, err := result.Read(fetched, name)
	if fetched.err != nil {
		return nil, failed(fmt.Errorf("%s: %w", name, fetched.err))
	}
	return file, badInput(err)
}

// fetching remembers why reading failed.
type fetching struct {
	from io.Reader
	err  error
}

// Read implements io.Reader.
func (f *fetching) Read(b []byte) (int, error) {
	n, err := f.from.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// orBadInput marks an error that has no exit code.
func orBadInput(err error) error {
	if _, hasCode := errors.AsType[*exitError](err); hasCode {
		return err
	}
	return badInput(err)
}
