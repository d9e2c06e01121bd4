package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/stack"
)

// refusedWords are words of other tools that can't be had, with why.
var refusedWords = map[string]string{
	"proxy": "a load goes to its TARGET itself, and through no proxy",
	"cpus":  "it is a number of threads there; --client-cpus names processors",
}

// oneDash are hey's long words, which it writes with one dash.
var oneDash = []string{
	"h2", "host", "cpus", "disable-keepalive", "disable-compression", "disable-redirects",
}

// twoDashes writes hey's long words as flags are written here: a dash more.
func twoDashes(args []string) []string {
	made := slices.Clone(args)
	for i, arg := range made {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && slices.Contains(oneDash, name) {
			made[i] = "-" + arg
		}
	}
	return made
}

// rewriteHey is rewrite for words of hey.
func (a alias) rewriteHey(flags *pflag.FlagSet, value string, on bool) error {
	switch a.name {
	case "content-type", "accept":
		return flags.Set(a.flag, a.name+": "+value)
	case "host":
		return flags.Set(a.flag, value)
	case "h2":
		return setIf(on, flags, a.flag, "true")
	case "disable-keepalive":
		return setIf(on, flags, a.flag, stack.OptionKeepAlive+"=false")
	case "disable-compression":
		return setIf(on, flags, a.flag, "none")
	case "qps":
		return rateOfAll(flags, value)
	default:
		if why, refused := refusedWords[a.name]; refused {
			return errors.New(why)
		}
		return nil
	}
}

// rateOfAll is the rate of so many calls a second for each call in flight, which are hey's workers.
func rateOfAll(flags *pflag.FlagSet, perWorker string) error {
	rate, err := strconv.ParseFloat(perWorker, 64)
	if err != nil {
		return errors.New("it is not a number")
	}
	for _, name := range []string{"connections", "in-flight"} {
		if n, err := strconv.Atoi(flags.Lookup(name).Value.String()); err == nil { // what is wrong is said where it is read
			rate *= float64(n)
		}
	}
	return flags.Set("rate", strconv.FormatFloat(rate, 'f', -1, 64))
}
