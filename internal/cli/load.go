package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/report"
)

// loadScenario is what load's flags are set on.
const loadScenario = `
name: load
question: What does this server answer, how soon, and how often?
defaults: {trials: 1, stack: grpc-go}
cases:
  - title: %s
    kind: %s
`

// loadFlags are load's own; most are read as keys of a scenario, by their names.
type loadFlags struct {
	outputFlags
	identity
	kind        string
	rate        string
	poisson     bool
	connections string
	inFlight    string
	options     []string
	seed        uint64
	verify      bool
	workers     string // a folder
	saveFlags
	call    callFlags
	mayLoad bool
	metrics string // an address

	schedule *plan.Schedule // of --schedule, once it is read; nil without
	ramp     *plan.Schedule // of --ramp
}

// load loads a server that runs already.
func (e *env) load() *cobra.Command {
	var f loadFlags
	command := &cobra.Command{
		Use:   "load TARGET",
		Short: "Load a server that runs already: host:port, unix:PATH or a URL",
		RunE: func(command *cobra.Command, args []string) error {
			if err := f.outputFlags.check(); err != nil {
				return err
			}
			w, err := f.plan(command.Context(), e, command.Flags(), args)
			if err != nil {
				return err
			}
			if w.keys, err = f.client(); err != nil {
				return badInput(err)
			}
			w.live = true
			if f.metrics != "" {
				told, err := listenForMetrics(f.metrics)
				if err != nil {
					return badInput(err)
				}
				defer told.close()
				fmt.Fprintf(e.err, "metrics at http://%s/metrics\n", told.address)
				w.listeners = append(w.listeners, told)
			}
			err = e.execute(command.Context(), f.outputFlags, w)
			if exit, ok := errors.AsType[*exitError](err); err == nil || ok && exit.code == exitNotMet {
				return errors.Join(err, f.save(f.out))
			}
			return err
		},
	}
	f.add(command.Flags())
	command.Flags().StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics meanwhile, at HOST:PORT such as 127.0.0.1:9464")
	return command
}

func (f *loadFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.kind, "kind", "unary", "of call: connect, first_call, unary, stream, ping_pong, burst, upload or download")
	for _, key := range point.Keys() {
		if flag := key.Load; flag.Name != "" {
			flags.StringP(flag.Name, map[string]string{"duration": "z"}[flag.Name], "", flag.Help)
		}
	}
	flags.StringVar(&f.rate, "rate", "", "calls a second of an open load; without it the load is closed")
	flags.BoolVar(&f.poisson, "poisson", false, "random gaps between the calls of --rate instead of constant ones")
	flags.String("schedule", "",
		"rates that change instead of --rate: step:100..1000/100@5s, steps of 5s each, or line:100..1000@60s")
	flags.String("ramp", "", "calls in flight that change instead of --in-flight, of all connections together: step:10..100/10@5s, "+
		"steps of 5s each, or line:1..100@60s")
	flags.StringVar(&f.connections, "connections", "1", "how many")
	flags.StringVar(&f.inFlight, "in-flight", "1", "calls on each connection at once, at the most; with a rate "+rateInFlight)
	flags.StringArrayVar(&f.options, "option", nil, "a client option of the stack, NAME=VALUE")
	flags.Uint64Var(&f.seed, "seed", 1, "of payloads and of random arrivals")
	flags.BoolVar(&f.verify, "verify", false, "check the bytes of replies, not only their length: for servers of rpcbench")
	workersFlag(flags, &f.workers)
	f.clientFlags(flags)
	f.call.flags(flags)
	flags.BoolVar(&f.mayLoad, consentFlag, false, "load a TARGET that is not on this machine")
	f.outputFlags.flags(flags)
	withoutSimple(flags.Lookup("format"))
	f.saveFlags.flags(flags)
	addAliases(flags, loadAliases)
}

// target finds out what is loaded, and takes other tools' words for ours.
func (f *loadFlags) target(flags *pflag.FlagSet, args []string) (target, error) {
	if err := errors.Join(checkAliases(flags, loadAliases, len(args) > 0), f.checkWords(flags)); err != nil {
		return target{}, err
	}
	if err := rewriteAliases(flags, loadAliases); err != nil {
		return target{}, err
	}
	for _, word := range []string{"server", "address"} {
		if text, ok := given(flags, word); ok {
			args = []string{text}
		}
	}
	if len(args) != 1 {
		return target{}, errors.New("load needs one TARGET, such as localhost:8888, unix:/tmp/socket or http://localhost:8080/")
	}
	if isURL(args[0]) {
		return parseURL(args[0])
	}
	return parseTarget(args[0], 1)
}

// kindOf is --kind; Vanadium's --chunk-count makes a stream of a unary call.
func (f *loadFlags) kindOf(flags *pflag.FlagSet) string {
	if chunks, ok := given(flags, "chunk-count"); ok && chunks != "0" && !flags.Changed("kind") {
		return "stream"
	}
	return f.kind
}

// overrides are the flags as keys of the scenario.
func (f *loadFlags) overrides(flags *pflag.FlagSet, at target) ([]scenario.Override, error) {
	var list []scenario.Override
	set := func(key, value, flag string) {
		list = append(list, scenario.Override{Key: key, Value: value, Flag: flag + " " + value})
	}
	for _, key := range point.Keys() {
		if key.Load.Name == "" {
			continue
		}
		if value, ok := given(flags, key.Load.Name); ok {
			said := asWritten(flags, key.Load.Name, value)
			if key.Name == "duration" {
				value = seconds(value)
			}
			list = append(list, scenario.Override{Key: key.Name, Value: key.Load.Form.YAML(value), Flag: said})
		}
	}
	f.setAliases(flags, set)
	for _, setLoad := range []func(*pflag.FlagSet, func(key, value, flag string)) error{f.setSchedule, f.setRamp, f.setLoad} {
		if err := setLoad(flags, set); err != nil {
			return nil, err
		}
	}
	if shape, given := f.shape(flags); given {
		list = append(list, shape)
	}
	set("network", at.network, "TARGET")
	set("security", f.mode(), "--security")
	if f.coldStart(flags) {
		set("warmup", "0s", "--warmup")
	}
	return f.setOptions(list)
}

// setAliases sets what other tools' words for keys of a case mean.
func (f *loadFlags) setAliases(flags *pflag.FlagSet, set func(key, value, flag string)) {
	for _, a := range loadAliases {
		value, ok := given(flags, a.name)
		if ok && a.isKey() && (a.name != "chunk-count" || value != "0") {
			set(strings.ReplaceAll(a.flag, "-", "_"), value, "--"+a.name)
		}
	}
	if chunks, size := mux(flags); chunks != "" && size != "" {
		set("background", fmt.Sprintf("{kind: stream, messages: %s, request_bytes: %s}", chunks, size), "--mux-chunk-count")
	}
}

// mux returns Vanadium's two words for a stream beside the calls; 0 is none, as there.
func mux(flags *pflag.FlagSet) (chunks, size string) {
	chunks, _ = given(flags, "mux-chunk-count")
	size, _ = given(flags, "mux-payload-size")
	return strings.TrimPrefix(chunks, "0"), strings.TrimPrefix(size, "0")
}

// checkWords refuses words of other tools that say nothing, or two things.
func (f *loadFlags) checkWords(flags *pflag.FlagSet) error {
	chunks, size := mux(flags)
	if (chunks == "") != (size == "") {
		return errors.New("--mux-chunk-count and --mux-payload-size mean something together only")
	}
	if count, ok := given(flags, "chunk-count"); ok && count == "0" && f.kind != "unary" {
		return fmt.Errorf("--chunk-count 0 is a unary call, and --kind is %s", f.kind)
	}
	return nil
}

func (f *loadFlags) setLoad(_ *pflag.FlagSet, set func(key, value, flag string)) error {
	switch {
	case f.rate != "" && f.poisson:
		set("load", "poisson "+f.rate+"/s", "--rate "+f.rate+" --poisson:")
	case f.rate != "":
		set("load", "constant "+f.rate+"/s", "--rate "+f.rate+":")
	case f.poisson && f.schedule == nil:
		return errors.New("--poisson needs --rate, the calls a second, or --schedule")
	}
	return nil
}

// coldStart tells whether the first call counts, with its connection, as it does in Vanadium's client.
func (f *loadFlags) coldStart(flags *pflag.FlagSet) bool {
	return f.format == report.FormatVanadium && !flags.Changed("warmup") && !flags.Changed("warmup-duration")
}

func (f *loadFlags) setOptions(list []scenario.Override) ([]scenario.Override, error) {
	if len(f.options) == 0 {
		return list, nil
	}
	options, err := pairs(f.options)
	if err != nil {
		return nil, fmt.Errorf("--option: %w", err)
	}
	var yaml []string
	for name, value := range options {
		yaml = append(yaml, strconv.Quote(name)+": "+strconv.Quote(value))
	}
	return append(list, scenario.Override{Key: "options", Value: "{" + strings.Join(yaml, ", ") + "}", Flag: "--option"}), nil
}
