package alias

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/spf13/pflag"

	"rpcbench/internal/call/target"
	"rpcbench/internal/stack"
)

// keepAlive is the option by which a connection is kept from call to call.
const keepAlive = stack.OptionKeepAlive

// header sets a header of the alias's name.
func header(w *Words, a Alias, value string) error {
	return w.flags.Set(a.flag, a.name+": "+value)
}

// rateOfAll sets the total rate to a rate for each call in flight, which are hey's workers.
func rateOfAll(w *Words, a Alias, perWorker string) error {
	rate, err := strconv.ParseFloat(perWorker, 64)
	if err != nil {
		return errors.New("not a number; --rate is the total rate, in calls per second")
	}
	for _, name := range []string{"connections", "in-flight"} {
		text, _ := w.given(name)
		if n, err := strconv.Atoi(text); err == nil { // what is wrong is said where it is read
			rate *= float64(n)
		}
	}
	total := strconv.FormatFloat(rate, 'f', -1, 64)
	if total != perWorker {
		w.notef("as in hey, -q %s is the rate of each call in flight: %s calls/s in all; --rate is the total", perWorker, total)
	}
	return w.flags.Set(a.flag, total)
}

// aTime is a duration as wrk and k6 have it behind -d.
var aTime = regexp.MustCompile(`^[0-9.]+(ms|s|m|h)$`)

// checkData refuses a duration as -d, which here is the data of calls, and grpcurl's @, which is standard input.
func checkData(flags *pflag.FlagSet) error {
	data := flags.Lookup("data")
	if data != nil && data.Value.String() == "@" {
		return fmt.Errorf("%s @: the name of the file is missing; @- is standard input", Typed(data))
	}
	if data == nil || !data.Changed || Typed(data) != "-d" || !aTime.MatchString(data.Value.String()) {
		return nil
	}
	threads := ""
	if t := flags.Lookup("timeout"); t != nil && t.Changed && Typed(t) == "-t" { // wrk's, as its -d
		threads = fmt.Sprintf("; -t %s would be a deadline here, and no number of threads: leave it out", t.Value)
	}
	return fmt.Errorf("-d %[1]s: -d is the data of requests; --duration %[1]s, or -z, sets how long to load%[2]s", data.Value,
		threads)
}

// verbOrMetadata takes -m, which is hey's method of HTTP where TARGET is a URL, and else ghz's metadata.
func verbOrMetadata(w *Words, a Alias, value string) error {
	_, err := strconv.Atoi(value)
	switch {
	case err == nil:
		return errors.New("as in hey and ghz, -m is the HTTP method or metadata; --in-flight sets how many calls a connection has " +
			"in flight")
	case len(w.Args) == 0 || !target.IsURL(w.Args[0]):
		return w.flags.Set(a.flag, value)
	case w.flags.Changed("method"):
		return errors.New("given twice, and with a URL as TARGET it is an alias for --method")
	}
	delete(w.written, a.flag)
	return w.flags.Set("method", value)
}

// refused is the rewriting of a word that can't be had.
func refused(why string) func(*Words, Alias, string) error {
	return func(*Words, Alias, string) error { return errors.New(why) }
}

// proxy refuses -x, which is hey's proxy where TARGET is a URL, and else the longest that a run of ghz may take.
func proxy(w *Words, _ Alias, _ string) error {
	if len(w.Args) > 0 && !target.IsURL(w.Args[0]) {
		return errors.New("as in ghz, -x is the maximum duration, which is --duration here")
	}
	return errors.New("proxies are not supported: a load connects to TARGET directly")
}

// ignored rewrites a flag that has no effect here, or that another rewriting reads.
func ignored(*Words, Alias, string) error { return nil }
