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
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/request"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
)

// maxFileBytes limits the bytes of one results file in a local archive.
const maxFileBytes = 4 << 30

// archiveCommand has the commands for results of many commits.
func (e *env) archiveCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "archive",
		Short: "Keep results by commit, check the last commit, find changes",

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

// orInterrupted returns the error for an interruption if Ctrl-C ended ctx, and otherwise err.
func orInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, errors.New("interrupted")}
	}
	return err
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
