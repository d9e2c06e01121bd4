package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/cli/alias"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/require"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/server"
)

// notOfAB lists flags of load that ab does not take, with what it does instead.
var notOfAB = map[string]string{
	"trials":         "measures pairs of trials until the result is clear: see --same-within, --width and --time",
	"save-histogram": "has two servers' trials: report a file with --format hgrm",
	"save-hlog":      "has two servers' trials: report a file with --format hlog",
	saveScenario:     "starts servers, which a scenario does not: save the flags of load",
}

// maxWidth of an interval, in percent, is as good as none.
const maxWidth = 1e6

// alikeUsually is the default number of pairs of A with itself: it finds a bias of twice their spread.
const alikeUsually = 10

// maxPairs is more pairs than anybody waits for.
const maxPairs = 10_000

type abFlags struct {
	loadFlags
	a, b          string // commands
	metricName    string
	widthText     string
	time          time.Duration
	ready, settle time.Duration
	alike         int
	changeFlags

	commands [][]string        // of A and of B
	decides  []analysis.Metric // the first is that of the answer
	width    float64
}

// abCommand compares two servers.
func (e *env) abCommand() *cobra.Command {
	f := abFlags{loadFlags: loadFlags{verb: "ab"}}
	command := &cobra.Command{
		Use:   "ab --a 'COMMAND' --b 'COMMAND' TARGET",
		Short: "Compare two builds of a server in interleaved pairs",
		Long: "Ab starts server A or B for each trial, loads it at TARGET as load does, and\n" +
			"stops it. Pairs of A with itself check for bias. Pairs of A and B then run in\n" +
			"blocks AB BA or BA AB, at random, until it is clear which is better or that they\n" +
			"are the same, or the time is up.\n\n" +
			"The commands are split into words as a shell does, but no shell runs them.\n" +
			server.PortHole + " in TARGET and in the commands is a free port.",
		Example: `  rpcbench ab --a './old --listen :{port}' --b './new --listen :{port}' \
    localhost:{port} --call shop.v1.Shop/Get --proto shop.proto --in-flight 50`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			written, err := alias.Load.Take(command.Flags(), args)
			if err != nil {
				return badInput(err)
			}
			w, err := f.work(command.Context(), e, command.Flags(), written)
			if err != nil {
				return err
			}
			return e.experiment(command.Context(), f, w)
		},
	}
	flags := command.Flags()
	f.add(flags)
	withhold(flags, notOfAB)
	flags.Lookup("resume").Usage = resumeSearch
	flags.StringVar(&f.a, "a", "", "`command` that starts server A, the baseline, such as './old --listen :8080'")
	flags.StringVar(&f.b, "b", "", "`command` that starts server B, the candidate")
	flags.StringVar(&f.metricName, "metric", "",
		"`metric` to decide on, a CSV column (default: calls_per_sec of a closed loop, response_p99 of an open one)")
	flags.StringVar(&f.widthText, "width", "",
		"go on until the 95% interval of the ratio B/A is this `percentage` wide (default: until the answer is clear)")
	durationVar(flags, &f.time, "time", 10*time.Minute, "stop after this `duration`")
	durationVar(flags, &f.ready, "ready", 30*time.Second, "`duration` to wait until a server listens on TARGET")
	durationVar(flags, &f.settle, "settle", 0, "`duration` to wait after that, for servers that listen before they are ready")
	flags.IntVar(&f.alike, "aa-pairs", alikeUsually, "`number` of pairs of A with itself, which check for bias")
	f.flags(flags)
	return command
}

// work checks the flags, and makes the trial that they mean.
func (f *abFlags) work(ctx context.Context, e *env, flags *pflag.FlagSet, written *alias.Words) (work, error) {
	if err := checkWithheld(flags, "ab", notOfAB); err != nil {
		return work{}, err
	}
	if len(written.Args) != 1 {
		return work{}, badInput(errors.New(
			"ab needs one TARGET, where both servers listen, such as localhost:8888 or unix:/tmp/socket"))
	}
	f.isLimited = len(f.failOn) > 0
	if err := f.outputFlags.check(e.temporary); err != nil {
		return work{}, err
	}
	at, commands, err := fillCommands(written.Args[0], f.earlierTarget(), commandFlag{"a", f.a}, commandFlag{"b", f.b})
	f.commands = commands
	if err == nil {
		err = f.checkOwn()
	}
	if err != nil {
		return work{}, badInput(err)
	}
	if flags.Changed("call") && !flags.Changed("proto") && !flags.Changed("protoset") {
		return work{}, badInput(errors.New("--call: ab needs --proto or --protoset, because no server is running yet " +
			"whose schema could be read"))
	}
	f.unstarted = true
	written.Args = []string{at}
	w, err := f.plan(ctx, e, flags, written)
	if err != nil {
		return work{}, err
	}
	return w, badInput(errors.Join(f.chooseMetrics(w.plan.Trials[0].Spec), f.checkTime(w.plan.Trials[0].Spec)))
}

// earlierTarget returns the target of the file that is resumed; "" without one.
func (f *abFlags) earlierTarget() string {
	if !f.resume {
		return ""
	}
	file, err := result.ReadFile(f.out)
	if err != nil || file.Header.AB == nil || file.Header.AB.Base == nil {
		return "" // the file is refused when it is opened
	}
	return file.Header.AB.Base.Spec.Target
}

// checkOwn reads ab's own flags.
func (f *abFlags) checkOwn() error {
	percent, ok := percentOf(f.widthText)
	switch {
	case f.widthText != "" && (!ok || percent > maxWidth):
		return fmt.Errorf("--width: %q is not a percentage, such as 5%%", f.widthText)
	case f.alike < pairs.LeastAlike:
		return fmt.Errorf("--aa-pairs %d: a check for bias needs at least %d", f.alike, pairs.LeastAlike)
	case f.time <= 0 || f.ready <= 0 || f.settle < 0:
		return errors.New("--time and --ready must be more than 0, and --settle not less")
	}
	f.width = percent / 100
	return f.check()
}

// chooseMetrics sets the metrics to decide on: that of the answer, and those of limits.
func (f *abFlags) chooseMetrics(spec plan.Spec) error {
	fallback := string(analysis.ResponseP99Ns)
	if spec.Load == plan.LoadClosed {
		fallback = string(analysis.CallsPerSec)
	}
	metric, err := require.Metric(cmp.Or(f.metricName, fallback))
	if err != nil {
		return fmt.Errorf("--metric: %w", err)
	}
	f.decides = []analysis.Metric{metric}
	for _, limit := range f.limits {
		if metric, err = require.Metric(limit.Metric()); err != nil {
			return fmt.Errorf("--fail-on %s: %w", limit, err)
		}
		if !slices.Contains(f.decides, metric) {
			f.decides = append(f.decides, metric)
		}
	}
	return nil
}

// checkTime refuses a time in which nothing could be told. How much a file that is resumed lacks is not known yet.
func (f *abFlags) checkTime(spec plan.Spec) error {
	if f.resume {
		return nil
	}
	needed := f.alike + pairs.Least
	if least := time.Duration(2*needed) * (expected(spec) + f.settle); least > f.time {
		return fmt.Errorf("--time %s is too short: %d pairs of trials take %s and more, and fewer do not decide; "+
			"give more time, or a shorter --duration", number.Span(f.time), needed, number.About(least))
	}
	return nil
}
