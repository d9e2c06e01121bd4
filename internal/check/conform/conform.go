// Package conform checks whether a worker, in any language, conforms to worker.v1: whether its rate is right, whether it
// notices a frozen server, what it counts, what it refuses, and how it ends. Every case runs in fresh processes over
// loopback, and judges by what is visible from outside: formulas, the other side's counts, bytes on the wire.
//
// The protocol cases judge counts, order, and what can't happen before something else. All of these are the same on a busy
// machine. The separate timing cases judge what must not be late.
//
// It is not a benchmark: nothing depends on how fast a stack is, beyond the few hundred calls per second that the cases
// make. It judges the data plane through the stacks themselves. If a worker lacks one side of a stack, the reference, a
// trusted worker, plays that side.
package conform

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/run/child"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// Config selects what to judge.
type Config struct {
	Command   []string       // the worker under test
	Reference []string       // a worker that is trusted
	Stacks    []string       // of the worker under test; none is all
	Case      *regexp.Regexp // matches the names of the cases to run; nil is all
	Step      Step           // whose cases to run; 0 is all
	Share     bool           // whether cases that judge no process share some, where the worker can hold several sessions in one
	Timing    string         // whether to run the cases of timing: TimingToo, NoTiming or OnlyTiming

	Temporary *scratch.Dir // for sockets; nil makes their folders the system's

	Notice func(format string, args ...any) // takes a sentence about what is waited for; nil drops it
}

func (c Config) noticef(format string, args ...any) {
	if c.Notice != nil {
		c.Notice(format, args...)
	}
}

// Kinds of cases, by what they judge.
const (
	TimingToo  = "too"
	NoTiming   = "no"
	OnlyTiming = "only"
)

// A Suite is the cases for one worker.
type Suite struct {
	Cases []Case
	slow  bool // the worker wants a warm-up
	Config

	sharing *sharing
}

// A Case is one claim about a worker.
type Case struct {
	Name    string
	Step    Step
	signals bool   // it stops or interrupts a worker from outside
	process bool   // it judges a process: its start, its end, or what belongs to all of it
	command bool   // it judges what starts a worker: its terminal and its arguments
	skip    string // why it can't be run; empty when it can
	pair    pair
	run     func(r *rig) (detail string, err error)
	timing  *timing // instead of run, for a case of timing
	given
}

// given is the input of all cases of a suite.
type given struct {
	worker, reference []string
	yardstick         pair // the reference's cheapest stack
	keys              *keys
	sharing           *sharing      // of the worker under test; nil where every case has processes of its own
	patience          time.Duration // with what should be done at once
	temporary         *scratch.Dir  // for sockets
}

// ErrNoWorker is returned by New if the command does not start a worker: it does not exist, or sends no Hello.
var ErrNoWorker = errors.New("not a worker")

// ErrUnknownStack is returned by New for a stack that the worker does not have.
var ErrUnknownStack = errors.New("unknown stack")

// noWorker says why a command starts no worker. How a worker begins is a step of the tutorial, too, unless there is no program.
func noWorker(command []string, err error) error {
	err = fmt.Errorf("%w: %s: %w", ErrNoWorker, strings.Join(command, " "), err)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w; how one begins is step %v of docs/new-worker.md", err, StepPipe)
}

// New asks both workers what they support and makes the cases. It fails if they can't be asked.
func New(ctx context.Context, config Config) (*Suite, error) {
	said := time.AfterFunc(noticeEvery, func() {
		config.noticef("waiting for the Hello of %s, %v at the most: a worker writes it to standard output at once",
			strings.Join(config.Command, " "), hangPatience)
	})
	tested, err := ask(ctx, config.Command)
	said.Stop()
	if err != nil {
		return nil, noWorker(config.Command, err)
	}
	reference, err := ask(ctx, config.Reference)
	if err != nil {
		return nil, fmt.Errorf("the reference %s: %w", strings.Join(config.Reference, " "), err)
	}
	if err := checkStacks(config.Stacks, tested); err != nil {
		return nil, err
	}
	all, err := newGiven(ctx, config, reference)
	if err != nil {
		return nil, err
	}
	s := &Suite{Cases: workerCases(), slow: tested.GetLeastWarmupNs() > 0, Config: config, sharing: all.sharing}
	for _, info := range tested.GetStacks() {
		if len(config.Stacks) == 0 || slices.Contains(config.Stacks, info.GetName()) {
			s.Cases = append(s.Cases, casesOf(config, info, reference)...)
		}
	}
	s.Cases = append(s.Cases, noiseCases(tested, s.Cases)...)
	for i := range s.Cases {
		s.Cases[i].given = all
	}
	skipSignals(s.Cases, child.NoSignals)
	if tested.GetEmbedded() {
		skipCommands(s.Cases)
	}
	s.Cases = timingLast(slices.DeleteFunc(s.Cases, func(c Case) bool { return !config.wants(c) }))
	return s, nil
}

// timingLast puts the cases of timing last, which wait for the others: lines are printed in the order of cases, so each comes
// as soon as its case and those before it are done.
func timingLast(cases []Case) []Case {
	var others, timed []Case
	for _, c := range cases {
		if c.timing != nil {
			timed = append(timed, c)
		} else {
			others = append(others, c)
		}
	}
	return append(others, timed...)
}

func (c Config) wants(made Case) bool {
	if made.timing == nil && c.Timing == OnlyTiming || made.timing != nil && c.Timing == NoTiming {
		return false
	}
	return (c.Case == nil || c.Case.MatchString(made.Name)) && (c.Step == 0 || c.Step == made.Step)
}

// wantsProcess reports whether its workers must be separate processes.
func (c Case) wantsProcess() bool { return c.signals || c.process || c.timing != nil }

func newGiven(ctx context.Context, config Config, reference *control.Hello) (given, error) {
	keys, err := newKeys()
	if err != nil {
		return given{}, err
	}
	yardstick, err := newYardstick(config.Reference, reference)
	if err != nil {
		return given{}, err
	}
	all := given{
		worker: config.Command, reference: config.Reference, yardstick: yardstick, keys: keys,
		patience: hangPatience, temporary: config.Temporary,
	}
	if config.Share {
		all.sharing, err = newSharing(ctx, config)
	}
	return all, err
}

// skipSignals skips the cases that signal a worker, where why is not empty and says why that can't be done.
func skipSignals(cases []Case, why string) {
	for i := range cases {
		if cases[i].signals && why != "" {
			cases[i].skip = why
		}
	}
}

// skipCommands skips the cases about what starts a worker, which is none where the worker is part of an app or a page.
func skipCommands(cases []Case) {
	for i := range cases {
		if cases[i].command && cases[i].skip == "" {
			cases[i].skip = "hello.embedded: it is part of an app or a page, which has no terminal and takes no options"
		}
	}
}

// ask starts a worker for its Hello.
func ask(ctx context.Context, command []string) (*control.Hello, error) {
	c, err := start(ctx, command, hangPatience)
	if err != nil {
		return nil, err
	}
	defer c.close()
	return c.Hello, nil
}

func checkStacks(wanted []string, hello *control.Hello) error {
	var known []string
	for _, info := range hello.GetStacks() {
		known = append(known, info.GetName())
	}
	for _, name := range wanted {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%w %q: the worker has %s", ErrUnknownStack, name, strings.Join(known, ", "))
		}
	}
	return nil
}

// workerCases are about the worker as a whole.
func workerCases() []Case {
	return slices.Concat(
		at(StepPipe,
			Case{Name: "hello", process: true, run: hello},
			Case{Name: "an unknown command", process: true, run: unknownCommand},
			Case{Name: "an interrupt is ignored", signals: true, command: true, run: interrupt},
			Case{Name: "end of input, idle", process: true, run: ends(idle)}),
		at(StepExtras,
			Case{Name: "a profile", process: true, run: profile},
			Case{Name: "a dump of the heap", process: true, run: heapDump},
			Case{Name: "a relay", process: true, run: relaying}),
		timingOfWorker())
}

func casesOf(config Config, info *control.StackInfo, reference *control.Hello) []Case {
	if info.GetProtocol() == stack.ProtocolCodec {
		return codingCases(newCoding(config, info, reference))
	}
	p := newPair(config, info, reference)
	return stackCases(p, p.trustingServer(config.Reference, reference))
}

// stackCases returns the cases of one stack: those that judge a side which the worker under test plays. Cases that judge only the
// client use the pair alone, whose server is trusted if possible.
func stackCases(p, alone pair) []Case {
	if p.missing != "" {
		return at(StepServer, Case{Name: p.name, skip: p.missing})
	}
	if p.onlyInproc() {
		return of(p, at(StepNetworks, inprocCases(p)...))
	}
	cases := transportCases(p)
	cases = append(cases, payloadCases(p)...)
	if slices.Contains(p.securities, stack.SecurityMTLS) {
		cases = append(cases, at(StepNetworks, Case{Name: "permissions", run: permissions(p)})...)
	}
	cases = of(p, cases)
	if p.client.tested {
		cases = append(cases, of(alone, clientCases(alone))...)
	}
	cases = append(cases, optionCases(alone, p)...)
	return append(cases, of(p, slices.Concat(ownMethodCases(p), drawnCases(p), serverCases(p), timingOfStack(p)))...)
}

// ownMethodCases are about calls of methods of others, where the client makes some.
func ownMethodCases(p pair) []Case {
	if !p.client.tested || !callsMethods(p.client.info) {
		return nil
	}
	return at(StepExtras, Case{Name: "own methods", run: methods}, Case{Name: "mixed calls", run: mixes})
}

// of returns cases as those of a pair.
func of(p pair, cases []Case) []Case {
	for i := range cases {
		cases[i].Name = p.name + " " + cases[i].Name
		cases[i].pair = p
	}
	return cases
}

func serverCases(p pair) []Case {
	if !p.server.tested {
		return nil
	}
	return slices.Concat(
		at(StepServer,
			Case{Name: "serve refuses", run: serveFaults},
			Case{Name: "end of input, serving", process: true, run: ends(serving)}),
		at(StepExtras, Case{Name: "limits of a server", run: limits}))
}

func clientCases(p pair) []Case {
	return slices.Concat(
		at(StepClosedLoop,
			Case{Name: "connect refuses", run: connectFaults},
			Case{Name: "begin refuses", run: beginFaults},
			Case{Name: "intervals", run: intervals},
			Case{Name: "histograms of intervals", run: intervalHistograms},
			Case{Name: "histograms", run: histograms},
			Case{Name: "marks", run: marks},
			Case{Name: "end of input, calling", process: true, run: ends(calling)}),
		at(StepFaults,
			Case{Name: "a wrong reply is MISMATCH", run: mismatch},
			Case{Name: "a dead port, first_call", run: deadPort(first)},
			Case{Name: "a dead port, unary", run: deadPort(unary)},
			Case{Name: "commands during a phase", run: duringPhase},
			Case{Name: "deadline", signals: true, run: deadline},
			Case{Name: "the server dies", signals: true, run: serverDies}),
		at(StepOpenLoop, openCases(p)...),
		at(StepExtras, Case{Name: "a background", run: background}, Case{Name: "a further Connect", run: connectAgain(p)}))
}

func openCases(p pair) []Case {
	cases := []Case{
		{Name: "a delayed begin", run: delayed},
		{Name: "parts of a load", run: parts},
		{Name: "stages of a load", run: stages},
		{Name: "late calls", run: lateOnes},
	}
	for _, s := range []shape{{1, 1}, {1, 10}, {4, 10}} {
		cases = append(cases,
			Case{Name: "rate at " + s.String(), run: constantRate(s)},
			Case{Name: "poisson at " + s.String(), run: poissonRate(s)})
	}
	return append(cases,
		Case{Name: "stop ends a warm-up", run: stopEarly(p)},
		Case{Name: "overload", signals: true, run: overload},
		Case{Name: "stop shortens the drain", signals: true, run: stopDraining},
		Case{Name: "a frozen server, 1 slot", signals: true, run: standsStill(shape{1, 1})},
		Case{Name: "a frozen server, 10 slots", signals: true, run: standsStill(shape{1, 10})})
}

// keys are for TLS: those that both sides trust, and those of a stranger.
type keys struct{ own, strange credential.Set }

func newKeys() (*keys, error) {
	own, err := credential.New()
	if err != nil {
		return nil, err
	}
	strange, err := credential.New()
	if err != nil {
		return nil, err
	}
	return &keys{own, strange}, nil
}
