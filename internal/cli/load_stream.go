package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
)

// rate is how many messages a second each call of a kind sends; 0 without --message-rate.
func (f *callFlags) rate(kind string) (float64, error) {
	if f.messageRate == "" {
		return 0, nil
	}
	rate, err := strconv.ParseFloat(f.messageRate, 64)
	switch {
	case err != nil || !(rate > 0) || rate > point.PerSecMax:
		return 0, fmt.Errorf("--message-rate %s: it is more than 0 and at most %d messages a second", f.messageRate, point.PerSecMax)
	case kind == stack.KindPingPong:
		return 0, errors.New("--message-rate: of ping_pong a message is a call, and --rate says how many a second")
	case !stack.SendsMany(kind):
		return 0, fmt.Errorf("--message-rate: a call of %s, which is %s, sends one message; upload and stream send several",
			f.call, kind)
	}
	return rate, nil
}

// checkCallLeast refuses calls that would all end by their deadline, because their messages take longer.
func checkCallLeast(trials []plan.Trial) error {
	for _, trial := range trials {
		deadline := time.Duration(trial.Spec.DeadlineNs)
		if least := trial.Spec.CallLeast(); least >= deadline {
			return fmt.Errorf("--message-rate: the messages of a call take %v, and its deadline of %v ends it before: "+
				"give --deadline more", least.Round(time.Millisecond), deadline)
		}
	}
	return nil
}

// rewriteStream is rewrite for ghz's words for messages within calls. The interval stands before the duration in the table.
func (a alias) rewriteStream(flags *pflag.FlagSet, value string, on bool) error {
	switch a.name {
	case "stream-interval":
		return interval(flags, value)
	case "stream-call-duration":
		return streamDuration(flags, value)
	case "stream-dynamic-messages":
		if !on {
			return errors.New("functions give each message of a stream its own values; without functions all are alike")
		}
	}
	return nil
}

// interval sets the message rate that has a gap; 0 is none, as with ghz.
func interval(flags *pflag.FlagSet, text string) error {
	gap, err := time.ParseDuration(text)
	switch {
	case err != nil || gap < 0:
		return errors.New("it is no duration such as 50ms")
	case gap == 0:
		return nil
	}
	return flags.Set("message-rate", strconv.FormatFloat(float64(time.Second)/float64(gap), 'g', 9, 64))
}

// streamDuration sets the number of messages that are due within a time: message 0 is due at its begin.
func streamDuration(flags *pflag.FlagSet, text string) error {
	length, err := time.ParseDuration(text)
	if err != nil || length <= 0 {
		return errors.New("it is no duration such as 2s")
	}
	rate, err := strconv.ParseFloat(flags.Lookup("message-rate").Value.String(), 64)
	if err != nil {
		return errors.New("it goes with --message-rate, or ghz's --stream-interval, only, which make it a number of messages")
	}
	return flags.Set("messages", strconv.FormatFloat(math.Ceil(rate*length.Seconds()-1e-6), 'f', 0, 64))
}
