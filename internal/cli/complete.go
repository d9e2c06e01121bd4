package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/plan/grpcscenario"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// completeScenarios has shells complete the names of scenarios, beside those of files. Those of gRPC's benchmarks are hundreds:
// they come behind their prefix.
func completeScenarios(command *cobra.Command) {
	command.ValidArgsFunction = func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		if !strings.HasPrefix(begun, grpcscenario.Prefix) {
			return scenario.BuiltinNames(), cobra.ShellCompDirectiveDefault
		}
		var names []string
		for _, name := range grpcscenario.Names() {
			if name = grpcscenario.Prefix + name; strings.HasPrefix(name, begun) {
				names = append(names, name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlags has shells complete the values of flags that have few: each verb's own and those of all verbs below it.
func (e *env) completeFlags(command *cobra.Command) {
	for _, below := range command.Commands() {
		e.completeFlags(below)
	}
	command.Flags().VisitAll(func(f *pflag.Flag) {
		if values := e.valuesOf(f); values != nil {
			_ = command.RegisterFlagCompletionFunc(f.Name, values) // it fails only where there is no such flag
		}
	})
}

// valuesOf returns the completion of a flag's value, or nil for file names.
func (e *env) valuesOf(f *pflag.Flag) cobra.CompletionFunc {
	switch f.Name {
	case "call":
		return e.completeMethods
	case "stack":
		return e.completeStack
	case "stacks":
		return e.completeStacks
	case "kind":
		return fixed(point.Kinds()...)
	case "set":
		return completeSetting
	case "option":
		return e.completeOption
	}
	if formats := f.Annotations[formatsKey]; formats != nil {
		return fixed(formats...)
	}
	for _, key := range point.Keys() {
		if words := key.Choices(); words != nil && (f.Name == key.Load.Name || f.Name == key.Run.Name) {
			return fixed(words...)
		}
	}
	return nil
}

// fixed completes a flag that takes one of a few.
func fixed(list ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
}

// completeSetting completes the name of a scenario's key. Text after = is not completed, because bash takes that for a separate
// word.
func completeSetting(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var offered []string
	for _, key := range point.Keys() {
		if strings.HasPrefix(key.Name, begun) {
			offered = append(offered, key.Name+"=")
		}
	}
	return offered, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeStack completes the name of a stack, those of the workers in --workers too.
func (e *env) completeStack(command *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return e.stackNames(command), cobra.ShellCompDirectiveNoFileComp
}

// completeStacks completes the last name of a list of stacks.
func (e *env) completeStacks(command *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	before := begun[:strings.LastIndex(begun, ",")+1]
	names := e.stackNames(command)
	for i, name := range names {
		names[i] = before + name
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeOption completes the name of an option, or its value after =. They are those of the verb's side of --stack, or, without
// it, of all stacks of this binary.
func (e *env) completeOption(command *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	name, value, isNamed := strings.Cut(begun, "=")
	var offered []string
	for _, info := range e.optionStacks(command) {
		options := info.ClientOptions()
		if command.Name() == "serve" {
			options = info.ServerOptions()
		}
		for _, o := range options {
			switch {
			case !isNamed && strings.HasPrefix(o.Name, name):
				offered = append(offered, o.Name+"=")
			case isNamed && o.Name == name:
				for _, word := range o.Words {
					if strings.HasPrefix(word, value) {
						offered = append(offered, name+"="+word)
					}
				}
			}
		}
	}
	slices.Sort(offered)
	directive := cobra.ShellCompDirectiveNoFileComp
	if !isNamed {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return slices.Compact(offered), directive
}

// optionStacks returns the stack of --stack, which its worker is asked about, or all stacks of this binary.
func (e *env) optionStacks(command *cobra.Command) []stack.Info {
	name := command.Flags().Lookup("stack")
	if name == nil || !name.Changed {
		return e.infos()
	}
	all, err := e.fleet(workersOf(command))
	if err != nil {
		return e.infos()
	}
	if _, err := all.AskFor(command.Context(), []string{name.Value.String()}, nil); err != nil {
		return nil
	}
	return slices.DeleteFunc(all.Infos(), func(i stack.Info) bool { return i.Name != name.Value.String() })
}

// workersOf returns the flags of a verb that say where workers are found.
func workersOf(command *cobra.Command) workerFlags {
	var from workerFlags
	if folder := command.Flags().Lookup("workers"); folder != nil {
		from.folder = folder.Value.String()
	}
	return from
}

// stackNames are all stacks, or only those of this binary where other workers can't be found.
func (e *env) stackNames(command *cobra.Command) []string {
	if all, err := e.fleet(workersOf(command)); err == nil {
		return all.Names()
	}
	var names []string
	for _, info := range e.infos() {
		names = append(names, info.Name)
	}
	return slices.Sorted(slices.Values(names))
}
