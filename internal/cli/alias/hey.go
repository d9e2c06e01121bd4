package alias

import (
	"errors"
	"strconv"

	"rpcbench/internal/call/target"
	"rpcbench/internal/stack"
)

// keepAlive is the option by which a connection is kept from call to call.
const keepAlive = stack.OptionKeepAlive

// header sets a header of the alias's name.
func header(w *Words, a Alias, value string) error {
	return w.flags.Set(a.flag, a.name+": "+value)
}

// rateOfAll is the rate of so many calls a second for each call in flight, which are hey's workers.
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
	return w.flags.Set(a.flag, strconv.FormatFloat(rate, 'f', -1, 64))
}

// verbOrMetadata takes -m, which is hey's method of HTTP where TARGET is a URL, and else ghz's metadata.
func verbOrMetadata(w *Words, a Alias, value string) error {
	switch {
	case len(w.Args) == 0 || !target.IsURL(w.Args[0]):
		return w.flags.Set(a.flag, value)
	case w.flags.Changed("method"):
		return errors.New("-m stands for --method where TARGET is a URL, and is given twice")
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

// ignored is the rewriting of a word that asks for what is so anyway, or that another one reads.
func ignored(*Words, Alias, string) error { return nil }
