package alias

import (
	"errors"
	"strconv"

	"rpcbench/internal/plan/schedule"
)

// timeout takes -t, which is the timeout of a call in ghz and hey, the duration in fortio, and threads in wrk and h2load. Beside
// fortio's -qps it is the duration; alone it is ghz's, with a note.
func timeout(w *Words, a Alias, value string) error {
	typed := a.dashed(w)
	switch {
	case typed != "-t":
	case w.flags.Changed("qps"):
		return fortioDuration(w, a, value)
	case isNumber(value):
		w.notef("as in ghz and hey, -t %[1]s is the deadline of each call, %[1]ss; there is no number of threads to set, as -t is "+
			"in wrk and h2load", value)
	default:
		w.notef("as in ghz and hey, -t %[1]s is the deadline of each call; --duration %[1]s, or -z, sets how long to load, as -t "+
			"does in fortio", value)
	}
	return inSeconds(w, a, value)
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// fortioDuration takes -t as the duration.
func fortioDuration(w *Words, a Alias, value string) error {
	if w.flags.Changed("duration") {
		return errors.New("beside -qps it is the duration, as in fortio; give it or --duration, not both")
	}
	delete(w.written, a.flag)
	w.written["duration"] = a.text(w, value)
	w.notef("as in fortio, beside -qps, -t %s is the duration; --deadline sets that of each call", value)
	return w.flags.Set("duration", schedule.Seconds(value))
}

// measuredCalls takes a number of calls of tools that have no warm-up, and says that there is one.
func measuredCalls(w *Words, a Alias, calls string) error {
	format, _ := w.given("format")
	warmUpKnown := w.flags.Changed("warmup") || w.flags.Changed("warmup-duration") || format == "vanadium"
	if n, err := strconv.ParseUint(calls, 10, 64); err == nil && n > 0 && !warmUpKnown {
		w.notef("%s counts the measured calls; the warm-up makes up to %s more before them, which the server carries out, too: "+
			"--warmup 0s leaves them out", a.text(w, calls), calls)
	}
	return w.flags.Set(a.flag, calls)
}
