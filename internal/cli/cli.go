// Package cli is the command line: one file per verb. It reads flags, calls the packages below and turns their errors into
// sentences and exit codes. Reports go to standard output; progress, notes and errors go to standard error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/cli/usage"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/stack"
)

// Exit codes of the scripting contract.
const (
	exitGood         = 0
	exitTrialFailed  = 1
	exitBadInput     = 2
	exitNotMet       = 3
	exitInconclusive = 4
	exitInterrupted  = 130
)

// An exitError is an error with its own exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// badInput marks an error that the user can fix by typing something else.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitBadInput, err}
}

// failed marks a failure with valid input.
func failed(err error) error { return &exitError{exitTrialFailed, err} }

// Work obeys worker.v1 on standard input and output with some stacks, until the input ends; tethered, until nothing has come
// for long, too.
type Work func(ctx context.Context, stacks []stack.Stack, tethered bool) error

// env is the environment of verbs. What they print on out and err can't control a terminal, whatever its source.
type env struct {
	stacks   []stack.Stack
	work     Work
	out, err io.Writer
	screen   io.Writer // standard output for reports, which clean what they print and may colour it

	temporary *scratch.Dir
	typed     []string // the command line, as the user typed it
}

// An outlet keeps its first error, because libraries that print to it ignore errors.
type outlet struct {
	to  io.Writer
	err error
}

// Write implements io.Writer.
func (o *outlet) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// infos returns the descriptions of the stacks.
func (e *env) infos() []stack.Info {
	infos := make([]stack.Info, len(e.stacks))
	for i, s := range e.stacks {
		infos[i] = s.Info()
	}
	return infos
}

// Main runs the command line and returns its exit code.
func Main(args []string, stacks []stack.Stack, work Work) int {
	out := &outlet{to: os.Stdout}
	e := &env{
		stacks: stacks, work: work, out: plain.Writer{To: out}, err: plain.Writer{To: os.Stderr}, screen: out,
		temporary: new(scratch.Dir),
	}
	defer e.tidy()
	log.SetFlags(0)
	log.SetOutput(&libraryLog{to: e.err})
	err := e.obey(args)
	if out.err != nil && (err == nil || errors.Is(err, out.err)) { // else err is what came first
		err = failed(fmt.Errorf("standard output: %w", out.err))
	}
	if err == nil {
		return exitGood
	}
	fmt.Fprintf(e.err, "rpcbench: %v\n", err)
	return codeOf(err)
}

// obey carries out a command line.
func (e *env) obey(args []string) error {
	e.typed = args
	root := e.rootFor(args)
	args = archiveOrder(root, args)
	words := asTyped(root, args)
	root.SetArgs(words)
	root.SetOut(e.out)
	root.SetErr(e.err)
	if err := verbless(root, args); err != nil {
		return err
	}
	if err := refuseTwice(root, words); err != nil {
		return err
	}
	if found, _, _ := root.Find(args); found != nil && !found.Hidden { // else it is a worker, which its driver ends
		defer e.endAtOnce()()
	}
	return root.ExecuteContext(context.Background())
}

// codeOf returns the exit code of an error. Errors of cobra itself are bad input.
func codeOf(err error) int {
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit.code
	}
	return exitBadInput
}

// Tree returns the commands, for generating manual pages and completions.
func Tree() *cobra.Command {
	return (&env{out: io.Discard, err: io.Discard, screen: io.Discard, temporary: new(scratch.Dir)}).root()
}

// tidy removes the temporary files. The next rpcbench removes what is left of them.
func (e *env) tidy() {
	if err := e.temporary.Remove(); err != nil {
		fmt.Fprintf(e.err, "warning: temporary files are left: %v\n", err)
	}
}

// rootFor returns the commands of which a command line can be one. A worker gets only its own: making all of them takes a tenth
// of its start, and every trial starts two workers.
func (e *env) rootFor(args []string) *cobra.Command {
	if len(args) == 0 || args[0] != workerVerb {
		return e.root()
	}
	root := e.bare()
	root.AddCommand(e.worker())
	return root
}

func (e *env) root() *cobra.Command {
	root := e.bare()
	addVerbs(root, "Measure", e.load(), e.call(), e.run(), e.plan(), e.capacity(), e.abCommand(), e.simple(), e.replay(), e.phone())
	addVerbs(root, "Read results", e.report(), e.compare(), e.archiveCommand(), e.uiCommand(), e.bundle())
	addVerbs(root, "Serve", e.serve(), e.proxy(), e.qpsWorker(), e.credentialsCommand())
	addVerbs(root, "Check", e.selftest(), e.stacksCommand(), e.hostsCommand(), e.conform())
	root.AddCommand(e.worker(), e.leash(), e.completion())
	e.completeFlags(root)
	e.countInWords(root)
	return root
}

// bare returns the root without verbs.
func (e *env) bare() *cobra.Command {
	root := &cobra.Command{
		Version: version,
		Use:     "rpcbench",
		Short:   "Measure RPC stacks: set-up, latency, throughput, and the cost of each call",
		Example: `  rpcbench run quick                        # every Go stack on this machine
  rpcbench load localhost:50051             # your server's methods, as commands
  rpcbench report FILE.jsonl --format html --output report.html`,
		SilenceUsage:          true,
		SilenceErrors:         true,
		DisableFlagsInUseLine: true,
		Args:                  cobra.ArbitraryArgs, // RunE refuses them in our own words
		RunE:                  help,
		PersistentPreRunE:     refuseEmpty,
	}
	root.CompletionOptions.DisableDefaultCmd = true // completion has scripts of its own
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(&cobra.Command{Use: "help [COMMAND]", Short: "Print help about a command", RunE: help})
	root.SetVersionTemplate(e.about())
	usage.Set(root)
	return root
}

// addVerbs adds verbs below a heading of the help.
func addVerbs(root *cobra.Command, heading string, verbs ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: heading, Title: heading + ":"})
	for _, verb := range verbs {
		verb.GroupID = heading
	}
	root.AddCommand(verbs...)
}
