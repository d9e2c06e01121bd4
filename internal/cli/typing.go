package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/alias"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
)

// help prints the help of the command that args name, or refuses them. It implements the root, which gets words that are no
// command, and the help command.
func help(command *cobra.Command, args []string) error {
	about, rest, err := command.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return unknownCommand(command.Root(), args[0])
	}
	about.InitDefaultHelpFlag()
	about.InitDefaultVersionFlag()
	return about.Help()
}

// asTyped rewrites flags into their form here. Arguments of hidden commands are left unchanged.
func asTyped(root *cobra.Command, args []string) []string {
	found, _, _ := root.Find(args)
	if found == nil || found == root { // as those of tools that only load
		found, _, _ = root.Find([]string{"load"})
	}
	if found.Hidden {
		return args
	}
	return alias.TwoDashes(found.Flags(), args)
}

// verbless refuses a target without a verb, as in tools that only load, and says what was meant.
func verbless(root *cobra.Command, args []string) error {
	found, _, _ := root.Find(args)
	if found == root && len(args) > 0 && alias.Verbs[args[0]] != "" {
		return unknownCommand(root, args[0])
	}
	misspelt := len(args) > 0 && !strings.HasPrefix(args[0], "-") && !isTarget(args[0])
	if found != root || misspelt || !slices.ContainsFunc(args, isTarget) {
		return nil
	}
	meant := slices.Concat([]string{"rpcbench", "load"}, public(args))
	return badInput(fmt.Errorf("a command is missing; did you mean %s?", shell(meant)))
}

// isTarget returns whether a word can only be a server.
func isTarget(word string) bool {
	_, err := target.Parse(word)
	return err == nil && !strings.HasPrefix(word, "-")
}

// public is a command line without the values of flags that may be secrets. The name of a file with one is none.
func public(args []string) []string {
	shown := slices.Clone(args)
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case name == strings.TrimLeft(name, "-"):
		case joinedSecret.MatchString(arg):
			shown[i] = arg[:2] + "…"
		case !namesSecret(name):
		case joined && !strings.HasPrefix(value, "@"):
			shown[i] = name + "=…"
		case !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "@"):
			shown[i+1] = "…"
		}
	}
	return shown
}

// namesSecret reports whether a word is a flag, with its dashes, whose value may be a secret. A letter has one dash.
func namesSecret(word string) bool {
	name := strings.TrimLeft(word, "-")
	return slices.Contains(secretFlags(), name) && (len(name) > 1 || len(word) == 2)
}

// joinedSecret is a letter with its value behind it, such as -d{"id":7}, and no long flag with one dash.
var joinedSecret = regexp.MustCompile(`^-[dHam][^=@]*[^=@a-zA-Z0-9_-]`)

// secretFlags are the names and letters of flags of load whose values may be secrets.
func secretFlags() []string {
	names := []string{basicAuth, "a", "m", "header", "metadata-file"} // the last three are other tools'
	for _, key := range point.Keys() {
		if key.Load.Secret {
			names = append(names, key.Load.Name, key.Load.Short)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// unknownCommand names the command that was meant, also where its verb was forgotten.
func unknownCommand(root *cobra.Command, word string) error {
	var verbs []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	meant := hint.Of(word, verbs)
	switch {
	case alias.Verbs[word] != "":
		meant = fmt.Sprintf("; did you mean %q?", alias.Verbs[word])
	case strings.HasSuffix(word, ".js"):
		meant = "; rpcbench runs no scripts: rpcbench load TARGET has flags for the load, and a scenario has several cases"
	case slices.Contains(scenario.BuiltinNames(), word), strings.HasSuffix(word, ".yaml"), strings.HasSuffix(word, ".yml"):
		meant = fmt.Sprintf("; did you mean %q?", "run "+word)
	case strings.HasSuffix(word, ".jsonl"):
		meant = fmt.Sprintf("; did you mean %q?", "report "+word)
	case word == "version":
		meant = `; did you mean "--version"?`
	}
	return badInput(fmt.Errorf("unknown command %q%s", word, meant))
}

func noArguments(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return badInput(fmt.Errorf("%s takes only flags: unexpected %q", command.Name(), args[0]))
}

// flagError explains what is wrong with a flag in our own words.
func flagError(command *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		letters := unknown.GetSpecifiedShortnames()
		meant := cmp.Or(elsewhere(letters), elsewhere(letters[:1]), ofLoad(command, "-"+letters))
		if longWord.MatchString(letters) { // as Go's programs have long flags
			meant = cmp.Or(elsewhere(letters), ofLoad(command, "--"+letters), hint.Near("--"+letters, flagNames(command)))
		}
		err = fmt.Errorf("unknown flag -%s%s", letters, cmp.Or(meant, fmt.Sprintf("; %s --help lists them", command.CommandPath())))
	case errors.As(err, &unknown):
		word := "--" + unknown.GetSpecifiedName()
		meant := cmp.Or(elsewhere(unknown.GetSpecifiedName()), ofLoad(command, word), ofCase(command, word),
			hint.Near(word, flagNames(command)))
		if meant == "" {
			meant = fmt.Sprintf("; %s --help lists them", command.CommandPath())
		}
		err = fmt.Errorf("unknown flag %s%s", word, meant)
	case errors.As(err, &missing):
		err = fmt.Errorf("%s needs a value", alias.Typed(missing.GetFlag()))
	case errors.As(err, &invalid):
		err = invalidValue(invalid)
	}
	return badInput(err)
}

// longWord is a long flag's name, and no letters each of which is one, or one with its value.
var longWord = regexp.MustCompile(`^[a-z]{4,}(-[a-z]+)*$`)

// invalidValue says what a flag takes, instead of the parser's type name.
func invalidValue(invalid *pflag.InvalidValueError) error {
	flag, value := alias.Typed(invalid.GetFlag()), invalid.GetValue()
	switch kind := invalid.GetFlag().Value.Type(); {
	case errors.Is(invalid, strconv.ErrRange) && !strings.HasPrefix(value, "-"):
		return fmt.Errorf("%s %s: must be a whole number of at most %d", flag, value, mostOf(kind))
	case strings.HasPrefix(kind, "uint"):
		return fmt.Errorf("%s %s: must be a whole number of at least 0", flag, value)
	case strings.HasPrefix(kind, "int"):
		return fmt.Errorf("%s %s: must be a whole number", flag, value)
	case strings.HasPrefix(kind, "float"):
		return fmt.Errorf("%s %s: must be a number", flag, value)
	case kind == "bool":
		return fmt.Errorf("%s=%s: takes no value, or true or false", flag, value)
	default:
		return fmt.Errorf("%s: %w", flag, errors.Unwrap(invalid))
	}
}

// mostOf is the largest value of a flag's type, such as uint16.
func mostOf(kind string) uint64 {
	digits, isUnsigned := strings.CutPrefix(kind, "uint")
	bits, err := strconv.Atoi(strings.TrimPrefix(digits, "int"))
	if err != nil {
		bits = strconv.IntSize
	}
	if !isUnsigned {
		bits--
	}
	return math.MaxUint64 >> (64 - bits)
}

// ofLoad says that a command is missing if a flag is given without one, as in tools that only load.
func ofLoad(command *cobra.Command, flag string) string {
	if command.HasParent() {
		return ""
	}
	load, _, err := command.Find([]string{"load"})
	if err != nil {
		return ""
	}
	name := strings.TrimLeft(flag, "-")
	if load.Flags().Lookup(name) == nil && (strings.HasPrefix(flag, "--") || load.Flags().ShorthandLookup(name[:1]) == nil) {
		return ""
	}
	return fmt.Sprintf(": a command is missing; did you mean rpcbench load TARGET %s?", flag)
}

// ofCase says how scenarios express a flag of load.
func ofCase(command *cobra.Command, flag string) string {
	if command.Flags().Lookup("set") == nil {
		return ""
	}
	for _, key := range point.Keys() {
		if key.Load.Name != "" && "--"+key.Load.Name == flag {
			return fmt.Sprintf(": it is a flag of load; --set %s=VALUE sets it for a scenario", key.Name)
		}
	}
	return ""
}

// elsewhere returns the equivalent of another tool's flag; "" if nothing is known of it.
func elsewhere(name string) string {
	if here := alias.InPlaceOf(name); here != "" {
		return ": " + here
	}
	return ""
}

func flagNames(command *cobra.Command) []string {
	var names []string
	command.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// checkFormat refuses a format that is not among the known.
func checkFormat(format string, known []string) error {
	if slices.Contains(known, format) {
		return nil
	}
	if instead, ok := formatsElsewhere[format]; ok {
		return badInput(fmt.Errorf("--format: there is no %s: %s", format, instead))
	}
	return badInput(fmt.Errorf("--format: %q is unknown%s", format, hint.Of(format, known)))
}

// formatsElsewhere maps formats of ghz, k6 and others to the equivalents here.
var formatsElsewhere = map[string]string{
	"influx-summary": influxInstead,
	"influx-details": influxInstead,
	"influxdb":       influxInstead,
	"prometheus":     "--metrics 127.0.0.1:9464 serves them to Prometheus while the load runs",
}

const influxInstead = "csv has a line for each row, and --metrics 127.0.0.1:9464 serves Prometheus while the load runs"
