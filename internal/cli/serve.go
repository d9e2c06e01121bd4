package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/secret"
	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/alias"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/serve"
	"rpcbench/internal/stack"
)

// serveFlags holds the flags of serve.
type serveFlags struct {
	stack   string
	listen  string
	payload string
	seed    uint64
	options []string
	workers workerFlags
	jvm     string // options
	limits  serve.Limits
	records uint64 // of the store
	each    uint32 // bytes of a record
	serverIdentity
}

// checkLimits refuses a limit that the worker can't keep, and notes that it keeps none.
func (f *serveFlags) checkLimits(command *cobra.Command, worker *launch.Worker) error {
	if worker.Hello.GetLimits() {
		return nil
	}
	if limit := limitGiven(command.Flags()); limit != "" {
		return fmt.Errorf("--%s: the worker of %s has no limits for clients", limit, f.stack)
	}
	command.PrintErrf("note: the worker of %s has no limits for clients\n", f.stack)
	return nil
}

// serve runs a server until a signal ends it.
func (e *env) serve() *cobra.Command {
	var f serveFlags
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the benchmark's methods until interrupted",
		Example: `  rpcbench serve --listen 127.0.0.1:8888
  rpcbench serve --stack connect-go --security mtls --credentials keys`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if _, err := alias.Serve.Take(command.Flags(), nil); err != nil {
				return badInput(err)
			}
			host, jvmOptions, err := f.host(e)
			if err != nil {
				return err
			}
			config, err := f.config(command)
			if err != nil {
				return badInput(err)
			}
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			said := &secret.Lines{To: e.err}
			defer said.End()
			worker, err := launch.Start(ctx, host.Launcher(), launch.Order{Stack: f.stack, JVMOptions: jvmOptions, Output: said})
			if err != nil {
				return failed(err)
			}
			if err := f.checkLimits(command, worker); err != nil {
				return badInput(errors.Join(err, worker.Close()))
			}
			return served(serve.Run(ctx, config, worker, func(at target.Target) error {
				if exposed := config.Keys.Exposure(at); exposed != "" {
					command.PrintErrf("note: %s\n", exposed)
				}
				_, err := fmt.Fprintf(e.out, "Listening on %s\n", at)
				return err
			}))
		},
	}
	flags := command.Flags()
	flags.StringVar(&f.stack, "stack", "grpc-go", "server `stack`")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0",
		"`address` to listen on: host:port (port 0 picks a free one), unix:PATH, ws://host:port or wsh://host:port")
	flags.StringVar(&f.payload, "payload", stack.PayloadRandom,
		"`content` of replies whose size differs from the request's: random, json or zeros")
	flags.Uint64Var(&f.seed, "seed", 1, "`seed` of that payload")
	flags.StringArrayVar(&f.options, "option", nil,
		"server option of the stack, `NAME=VALUE`; repeatable; rpcbench stacks lists them")
	flags.StringVar(&f.jvm, "jvm-options", "", "JVM `options` of a worker that runs on a JVM, such as '-Xms2g -Xmx2g'")
	f.workers.add(flags)
	f.flags(flags)
	limitFlags(flags, &f.limits)
	flags.Uint64Var(&f.records, "records", 0,
		"`number` of records in a store that batches read and write: load --batch --records (default no store)")
	flags.Uint32Var(&f.each, "record-bytes", stack.ValueBytesMin, "size of each record's value in `bytes`: load --request-bytes")
	alias.Serve.Add(flags)
	return command
}

// host finds the worker of the stack, and the options of its JVM, those of the environment first.
func (f *serveFlags) host(e *env) (*fleet.Fleet, string, error) {
	all, err := e.fleet(f.workers)
	if err != nil {
		return nil, "", err
	}
	config, err := all.Config(plan.Config{})
	if err != nil {
		return nil, "", badInput(err)
	}
	w, other := all.HostOf(f.stack)
	own := slices.ContainsFunc(all.Own(), func(i stack.Info) bool { return i.Name == f.stack })
	override, err := scenario.Shorthand("jvm-options", f.jvm)
	if err == nil {
		err = scenario.Check(override)
	}
	if err == nil {
		err = fleet.CheckEnvironment(w.JVM())
	}
	switch {
	case !other && !own:
		return nil, "", badInput(fmt.Errorf("--stack: %s", plan.Unknown(f.stack, all.Servers(), config.Elsewhere)))
	case err != nil:
		return nil, "", badInput(err)
	case f.jvm != "" && !w.JVM():
		return nil, "", badInput(fmt.Errorf("--jvm-options %s: %s does not run on a JVM", f.jvm, f.stack))
	}
	return all, strings.TrimSpace(config.JVMOptions + " " + f.jvm), nil
}

// config makes the server that the flags mean.
func (f *serveFlags) config(command *cobra.Command) (serve.Config, error) {
	config := serve.Config{Stack: f.stack, Payload: f.payload, Seed: f.seed, Limits: f.limits,
		Records: f.records, RecordBytes: f.each}
	err := f.limits.Check()
	switch {
	case err != nil:
		return config, err
	case command.Flags().Changed("record-bytes") && f.records == 0:
		return config, errors.New("--record-bytes: it is of a store, which needs --records")
	}
	if config.Listen, err = target.ParseAddress(f.listen, 0); err != nil {
		return config, fmt.Errorf("--listen: %w", err)
	}
	if kinds := stack.PayloadKinds(); !slices.Contains(kinds, f.payload) {
		return config, fmt.Errorf("--payload: %q is unknown%s", f.payload, hint.Of(f.payload, kinds))
	}
	if config.Options, err = optionsOf(f.options); err != nil {
		return config, fmt.Errorf("--option: %w", err)
	}
	config.Keys, err = f.keys(command)
	return config, err
}

// serveFields has the flag that sets a field of a worker's Serve.
var serveFields = map[string]string{
	"serve.stack": "--stack", "serve.address": "--listen", "serve.network": "--listen", "serve.payload": "--payload",
	"serve.security.mode": "--security", "serve": "--option", "serve.options": "--option", "serve.permissions": "--permissions",
	"serve.store": "--records", "serve.store.records": "--records", "serve.store.value_bytes": "--record-bytes",
}

// served turns a worker's refusal into a sentence about the flag that it is about.
func served(err error) error {
	var refused *serve.RefusedError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &refused):
		return failed(err)
	case serveFields[refused.Field] == "":
		return badInput(refused)
	default:
		return badInput(fmt.Errorf("%s: %w", serveFields[refused.Field], refused))
	}
}

// optionsOf reads NAME=VALUE words.
func optionsOf(words []string) (map[string]string, error) {
	read := make(map[string]string, len(words))
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if _, twice := read[name]; !ok || name == "" || twice {
			return nil, fmt.Errorf("%q is not NAME=VALUE, each name once", word)
		}
		read[name] = value
	}
	return read, nil
}
