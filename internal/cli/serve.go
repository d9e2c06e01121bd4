package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// serveFlags are what serve is told.
type serveFlags struct {
	stack   string
	listen  string
	payload string
	seed    uint64
	options []string
	workers string // a folder
	jvm     string // options
	identity
}

// serve runs a server until a signal ends it.
func (e *env) serve() *cobra.Command {
	var f serveFlags
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the benchmark's methods until a signal ends it, for load or anybody's client",
		Args:  noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := f.rewrite(command.Flags()); err != nil {
				return badInput(err)
			}
			host, jvmOptions, err := f.host(e)
			if err != nil {
				return err
			}
			serve, err := f.command(command)
			if err != nil {
				return err
			}
			ctx, restore := interruptible(command.Context(), nothing)
			defer restore()
			return e.serveUntil(ctx, serve, func() (*launch.Worker, error) {
				return launch.Start(ctx, host.launcher(), launch.Order{Stack: f.stack, JVMOptions: jvmOptions})
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&f.stack, "stack", "grpc-go", "the stack that serves")
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "where to listen: host:port (port 0 picks one), or unix:PATH")
	flags.StringVar(&f.payload, "payload", stack.PayloadRandom,
		"of replies whose size differs from the request's: random, json or zeros")
	flags.Uint64Var(&f.seed, "seed", 1, "of that payload")
	flags.StringArrayVar(&f.options, "option", nil, "a server option of the stack, NAME=VALUE")
	flags.StringVar(&f.jvm, "jvm-options", "", "of a worker that runs on a JVM, such as '-Xms2g -Xmx2g'")
	workersFlag(flags, &f.workers)
	f.serverFlags(flags)
	addAliases(flags, serveAliases)
	return command
}

// rewrite takes other tools' words for ours.
func (f *serveFlags) rewrite(flags *pflag.FlagSet) error {
	if err := checkAliases(flags, serveAliases, false); err != nil {
		return err
	}
	return rewriteAliases(flags, serveAliases)
}

// host finds the worker of the stack, and the options of its JVM, those of the environment first.
func (f *serveFlags) host(e *env) (*fleet, string, error) {
	all, err := e.fleet(f.workers)
	if err != nil {
		return nil, "", err
	}
	config, err := all.config(plan.Config{})
	if err != nil {
		return nil, "", badInput(err)
	}
	w, other := all.hostOf(f.stack)
	own := slices.ContainsFunc(all.own, func(i stack.Info) bool { return i.Name == f.stack })
	override, err := scenario.Shorthand("jvm-options", f.jvm)
	if err == nil {
		err = scenario.Check(override)
	}
	if err == nil {
		err = checkEnvironment(w.JVM())
	}
	switch {
	case !other && !own:
		return nil, "", badInput(fmt.Errorf("--stack: %s", plan.Unknown(f.stack, all.servers(), config.Elsewhere)))
	case err != nil:
		return nil, "", badInput(err)
	case f.jvm != "" && !w.JVM():
		return nil, "", badInput(fmt.Errorf("--jvm-options %s: %s does not run on a JVM", f.jvm, f.stack))
	}
	return all, strings.TrimSpace(config.JVMOptions + " " + f.jvm), nil
}

// command makes the Serve that the flags mean.
func (f *serveFlags) command(command *cobra.Command) (*control.Serve, error) {
	at, err := parseTarget(f.listen, 0)
	if err != nil {
		return nil, badInput(fmt.Errorf("--listen: %w", err))
	}
	if kinds := stack.PayloadKinds(); !slices.Contains(kinds, f.payload) {
		return nil, badInput(fmt.Errorf("--payload: %q is unknown%s", f.payload, hint.Of(f.payload, kinds)))
	}
	options, err := pairs(f.options)
	if err != nil {
		return nil, badInput(fmt.Errorf("--option: %w", err))
	}
	serve := &control.Serve{
		Stack: f.stack, Network: at.network, Address: at.address, Payload: f.payload, Seed: f.seed, Options: options,
	}
	return serve, badInput(f.secureServer(command, serve))
}

// serveUntil serves in a worker, as in every measurement, until ctx ends. Calls in flight are then finished.
func (e *env) serveUntil(ctx context.Context, serve *control.Serve, launch func() (*launch.Worker, error)) error {
	worker, err := launch()
	if err != nil {
		return failed(err)
	}
	serving, err := worker.Serve(ctx, serve)
	if err != nil {
		return refused(errors.Join(err, worker.Close()), serveFields)
	}
	if _, err := fmt.Fprintf(e.out, "Listening on %s\n", shown(serve.GetNetwork(), serving.GetAddress())); err != nil {
		return failed(errors.Join(err, worker.Close()))
	}
	select {
	case <-ctx.Done():
		return orFailed(worker.Close())
	case <-worker.Ended():
		return failed(fmt.Errorf("the server ended by itself: %w; its last words: %s", worker.Close(), worker.LastWords()))
	}
}

// serveFields tells which flag set a field of Serve.
var serveFields = map[string]string{
	"serve.stack": "--stack", "serve.address": "--listen", "serve.network": "--listen", "serve.payload": "--payload",
	"serve.security.mode": "--security", "serve": "--option", "serve.permissions": "--permissions",
}

// refused turns a worker's Fault into a sentence about the flag that it is about.
func refused(err error, fields map[string]string) error {
	var fault *control.FaultError
	if !errors.As(err, &fault) {
		return failed(err)
	}
	if flag, ok := fields[fault.Field]; ok {
		return badInput(fmt.Errorf("%s: %s", flag, fault.Message))
	}
	return badInput(fault)
}

// shown writes an address as --listen and TARGET take it.
func shown(network, address string) string {
	if network == stack.NetworkUnix {
		return "unix:" + address
	}
	return address
}

// pairs reads NAME=VALUE words.
func pairs(words []string) (map[string]string, error) {
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
