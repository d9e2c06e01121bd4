package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/request"
	"rpcbench/internal/report"
	"rpcbench/internal/report/archivetable"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/require"
)

// archiveMost is how many bytes of one results file an archive on this machine takes.
const archiveMost = 4 << 30

// archiveCommand has what there is to do with results of many commits.
func (e *env) archiveCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "archive",
		Short: "Keep results by commit: add, query, check the last commit, find changes",

		DisableFlagsInUseLine: true,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Help()
			}
			return badInput(fmt.Errorf("archive: %q is not one of its commands: %s%s", args[0],
				strings.Join(archiveVerbs(command), ", "), hint.Of(args[0], archiveVerbs(command))))
		},
	}
	addVerbs(command, "Commands", e.archiveAdd(), e.archiveList(), e.archiveCheck(), e.archiveChanges(), e.archiveGet(),
		e.archiveReindex(), e.archiveServe())
	return command
}

func archiveVerbs(command *cobra.Command) []string {
	var names []string
	for _, verb := range command.Commands() {
		names = append(names, verb.Name())
	}
	return names
}

// archiveOrder puts the command of an archive before its place: "archive DIR add FILE" is "archive add DIR FILE".
func archiveOrder(root *cobra.Command, args []string) []string {
	if len(args) < 3 || args[0] != "archive" {
		return args
	}
	command, _, err := root.Find(args[:1])
	verbs := []string{}
	if err == nil {
		verbs = archiveVerbs(command)
	}
	if slices.Contains(verbs, args[1]) || !slices.Contains(verbs, args[2]) {
		return args
	}
	return slices.Concat([]string{args[0], args[2], args[1]}, args[3:])
}

// A place is an archive in a folder or at a URL.
type archivePlace interface {
	List(ctx context.Context, q archive.Query) ([]archive.Entry, error)
	History(ctx context.Context, q archive.Query, metric analysis.Metric) ([]archive.Series, error)
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	Add(ctx context.Context, name string, from io.Reader, most int64, facts archive.Facts) (archive.Entry, bool, error)
}

// tokenFlags name where a token is, which is never an argument.
type tokenFlags struct{ file, variable string }

func (f *tokenFlags) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "token-file", "", "`file` with the token of an archive that is served")
	flags.StringVar(&f.variable, "token-env", "", "environment `variable` with that token")
}

// read returns the token, or "" where none is named.
func (f *tokenFlags) read() (string, error) {
	var token *request.Token
	var err error
	switch {
	case f.file != "" && f.variable != "":
		return "", errors.New("--token-file and --token-env exclude each other")
	case f.file != "":
		token, err = request.ReadToken(f.file)
	case f.variable != "":
		token, err = request.EnvToken(f.variable, os.LookupEnv)
	default:
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return token.Value(), nil
}

// open opens the archive of the arguments' first.
func (f *tokenFlags) open(args []string, isNew bool) (archivePlace, func(), error) {
	if len(args) == 0 {
		return nil, nil, errors.New("name an archive first: a directory, or the URL of one that is served")
	}
	base, isURL, err := archive.ParseURL(args[0])
	if err != nil {
		return nil, nil, err
	}
	if isURL {
		token, err := f.read()
		if err == nil && token == "" {
			err = errors.New("an archive that is served needs its token: --token-file FILE or --token-env VARIABLE")
		}
		refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // a token goes nowhere else
		return &archive.Remote{Base: base, Token: token, Client: &http.Client{CheckRedirect: refuse}}, func() {}, err
	}
	if f.file != "" || f.variable != "" {
		return nil, nil, errors.New("a directory needs no token")
	}
	made := archive.Open
	if isNew {
		made = archive.Create
	}
	dir, err := made(args[0])
	if err != nil {
		return nil, nil, err
	}
	return dir, func() { _ = dir.Close() }, nil
}

// queryFlags select entries.
type queryFlags struct{ archive.Query }

func (f *queryFlags) flags(flags *pflag.FlagSet) {
	f.machineFlags(flags)
	flags.StringVar(&f.Commit, "commit", "", "`commit` of what was measured, or the beginning of its name")
	flags.StringArrayVar(&f.Labels, "label", nil, "`label` of the results; repeatable")
	flags.StringVar(&f.Uploader, "uploader", "", "`name` of who added them")
	flags.StringVar(&f.CPU, "cpu", "", "part of the `name` of the processors")
	flags.StringVar(&f.OS, "os", "", "part of the `name` of the system, such as linux or arm64")
}

func (f *queryFlags) machineFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.Branch, "branch", "", "`branch` of the commits")
	flags.StringVar(&f.HostClass, "host-class", "", "`class` of the machine, or its name")
	flags.StringVar(&f.Scenario, "scenario", "", "`name` of a scenario")
}

// archiveAdd adds results files.
func (e *env) archiveAdd() *cobra.Command {
	var facts archive.Facts
	var committed string
	var token tokenFlags
	command := &cobra.Command{
		Use:   "add DIR|URL FILE.jsonl ... --commit COMMIT",
		Short: "Add results files of a commit; makes the directory if need be",
		Example: "  rpcbench archive add history results.jsonl --commit $(git rev-parse HEAD) \\\n" +
			"    --commit-time $(git show -s --format=%cI) --branch main\n" +
			"  rpcbench archive add https://bench.example.com results.jsonl --commit 3f2a --token-file token",
		RunE: func(command *cobra.Command, args []string) error {
			var err error
			switch {
			case len(args) < 2:
				err = errors.New("archive add needs an archive and at least one results file")
			case facts.Commit == "":
				err = errors.New("archive add needs --commit, such as --commit $(git rev-parse HEAD)")
			case committed != "":
				facts.Committed, err = timeOf(committed)
			}
			if err = errors.Join(err, facts.Check()); err != nil {
				return badInput(err)
			}
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			place, release, err := token.open(args, true)
			if err != nil {
				return badInput(err)
			}
			defer release()
			for _, name := range args[1:] {
				if err := e.archiveFile(ctx, place, name, facts); err != nil {
					return orInterrupted(ctx, err)
				}
			}
			return nil
		},
	}
	f := command.Flags()
	f.StringVar(&facts.Commit, "commit", "", "`commit` of what was measured")
	f.StringVar(&committed, "commit-time", "", "`time` of the commit, by which commits are ordered, such as "+
		"2026-09-01T12:00:00Z (default: when it was measured)")
	f.StringVar(&facts.Branch, "branch", "", "`branch` of the commit")
	f.StringVar(&facts.HostClass, "host-class", "", "`class` of the machine: machines of one class with the same processors have "+
		"one history (default: each machine has its own)")
	f.StringArrayVar(&facts.Labels, "label", nil, "`label` to find the results by; repeatable")
	f.StringVar(&facts.Uploader, "uploader", os.Getenv("USER"), "`name` of who adds them")
	f.Lookup("uploader").DefValue = ""
	token.flags(f)
	return command
}

// timeOf reads a time as git prints it.
func timeOf(text string) (time.Time, error) {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC(), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, fmt.Errorf("--commit-time: %q is not a time such as 2026-09-01T12:00:00Z; git show -s --format=%%cI prints it", text)
	}
	return t.UTC(), nil
}

func (e *env) archiveFile(ctx context.Context, place archivePlace, name string, facts archive.Facts) error {
	file, err := os.Open(name)
	if err != nil {
		return badInput(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return badInput(errors.Join(err, fmt.Errorf("%s is not a file", name)))
	}
	facts.Added = time.Now().UTC()
	entry, isNew, err := place.Add(ctx, name, file, archiveMost, facts)
	switch {
	case errors.Is(err, archive.ErrRefused):
		return badInput(err)
	case err != nil:
		return failed(err)
	case !isNew:
		_, err = fmt.Fprintf(e.out, "%s: is in the archive already, as %s\n", name, entry.Name)
	default:
		_, err = fmt.Fprintf(e.out, "%s: added as %s\n", name, entry.Name)
	}
	return err
}

// orInterrupted is the end of what Ctrl-C ended.
func orInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, errors.New("interrupted")}
	}
	return err
}

// archiveList lists entries.
func (e *env) archiveList() *cobra.Command {
	var query queryFlags
	var token tokenFlags
	var format string
	command := &cobra.Command{
		Use:     "list DIR|URL",
		Aliases: []string{"query"},
		Short:   "List the results files that flags select, the oldest first",
		Example: "  rpcbench archive list history --branch main --scenario echo\n" +
			"  rpcbench archive list history --cpu epyc --label nightly --format json",
		RunE: func(command *cobra.Command, args []string) error {
			if err := errors.Join(only(args, 1, "list"), checkFormat(format, document.Formats())); err != nil {
				return badInput(err)
			}
			place, release, err := token.open(args, false)
			if err != nil {
				return badInput(err)
			}
			defer release()
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			entries, err := place.List(ctx, query.Query)
			if err != nil {
				return orInterrupted(ctx, orRefused(err))
			}
			return e.print("", report.Options{}, func(w io.Writer, options report.Options) error {
				return archivetable.WriteEntries(w, format, entries, options.Style)
			})
		},
	}
	query.flags(command.Flags())
	token.flags(command.Flags())
	command.Flags().StringVar(&format, "format", "text", "output `format`: "+strings.Join(document.Formats(), ", "))
	return command
}

// only refuses more arguments than a command has.
func only(args []string, n int, verb string) error {
	if len(args) > n {
		return fmt.Errorf("archive %s: unexpected %q", verb, args[n])
	}
	return nil
}

func orRefused(err error) error {
	if errors.Is(err, archive.ErrRefused) || errors.Is(err, fs.ErrNotExist) {
		return badInput(err)
	}
	return failed(err)
}

// archiveChanges lists change points.
func (e *env) archiveChanges() *cobra.Command {
	var query queryFlags
	var token tokenFlags
	var format string
	var names []string
	command := &cobra.Command{
		Use:     "changes DIR|URL",
		Short:   "List the commits at which metrics changed",
		Example: "  rpcbench archive changes history --branch main --metric response_p99",
		RunE: func(command *cobra.Command, args []string) error {
			if err := errors.Join(only(args, 1, "changes"), checkFormat(format, document.Formats())); err != nil {
				return badInput(err)
			}
			var metrics []analysis.Metric
			for _, name := range names {
				metric, err := require.Metric(name)
				if err != nil {
					return badInput(fmt.Errorf("--metric: %w", err))
				}
				metrics = append(metrics, metric)
			}
			place, release, err := token.open(args, false)
			if err != nil {
				return badInput(err)
			}
			defer release()
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			var series []archive.Series
			for _, metric := range metrics {
				of, err := place.History(ctx, query.Query, metric)
				if err != nil {
					return orInterrupted(ctx, orRefused(err))
				}
				series = append(series, of...)
			}
			return e.print("", report.Options{}, func(w io.Writer, options report.Options) error {
				return archivetable.WriteChanges(w, format, series, options.Style)
			})
		},
	}
	query.flags(command.Flags())
	token.flags(command.Flags())
	command.Flags().StringArrayVar(&names, "metric", []string{"response_p50_ns", "response_p99_ns", "calls_per_sec",
		"client_cpu_ns_per_call", "server_cpu_ns_per_call"}, "`metric`, a CSV column, with or without its unit; repeatable")
	command.Flags().StringVar(&format, "format", "text", "output `format`: "+strings.Join(document.Formats(), ", "))
	return command
}

// archiveGet fetches a results file.
func (e *env) archiveGet() *cobra.Command {
	var token tokenFlags
	var output string
	command := &cobra.Command{
		Use:     "get DIR|URL FILE.jsonl",
		Short:   "Write a results file of an archive to standard output or a file",
		Example: "  rpcbench archive get https://bench.example.com 20260901T120000Z-5f3a9c.jsonl --token-env TOKEN --output r.jsonl",
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) != 2 {
				return badInput(errors.New("archive get needs an archive and the name of one of its files, which archive list prints"))
			}
			place, release, err := token.open(args, false)
			if err != nil {
				return badInput(err)
			}
			defer release()
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			file, err := place.Open(ctx, args[1])
			if err != nil {
				return orInterrupted(ctx, orRefused(err))
			}
			defer file.Close()
			return e.print(output, report.Options{}, func(w io.Writer, _ report.Options) error {
				_, err := io.Copy(w, file)
				return err
			})
		},
	}
	token.flags(command.Flags())
	command.Flags().StringVar(&output, "output", "", "write to `file`")
	return command
}

// archiveReindex makes the index anew.
func (e *env) archiveReindex() *cobra.Command {
	return &cobra.Command{
		Use:     "reindex DIR",
		Short:   "Make the index of a directory anew from its files",
		Example: "  rpcbench archive reindex history",
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) != 1 {
				return badInput(errors.New("archive reindex needs one directory"))
			}
			if _, err := os.Stat(args[0]); err != nil {
				return badInput(err)
			}
			dir, err := archive.Create(args[0])
			if err != nil {
				return failed(err)
			}
			defer dir.Close()
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			n, err := dir.Reindex(ctx)
			if err != nil {
				return orInterrupted(ctx, failed(err))
			}
			_, err = fmt.Fprintf(e.out, "results files in the index: %d\n", n)
			return err
		},
	}
}
