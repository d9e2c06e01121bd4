package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
)

// setSchedule reads --schedule, or ghz's words for one, and sets what follows from it: how long, and the mean rate.
func (f *loadFlags) setSchedule(flags *pflag.FlagSet, set func(key, value, flag string)) error {
	text, err := rateSchedule.text(flags)
	if err != nil || text == "" {
		return err
	}
	if f.rate != "" {
		return errors.New("--schedule says the rates, and --rate one: give one of them")
	}
	var length time.Duration
	if f.schedule, length, err = rateSchedule.read(flags, text, set); err != nil {
		return err
	}
	mean := math.Round(1e6*f.schedule.Mean(0, length)) / 1e6
	if mean <= 0 {
		return fmt.Errorf("--schedule %s: no call is due", text)
	}
	process := plan.LoadConstant
	if f.poisson {
		process = plan.LoadPoisson
	}
	set("load", process+" "+strconv.FormatFloat(mean, 'f', -1, 64)+"/s", "--schedule "+text+":")
	return nil
}

// setRamp reads --ramp, or ghz's words for one, and sets how long it takes.
func (f *loadFlags) setRamp(flags *pflag.FlagSet, set func(key, value, flag string)) error {
	text, err := rampSchedule.text(flags)
	switch {
	case err != nil || text == "":
		return err
	case f.rate != "" || f.schedule != nil:
		return errors.New("--ramp is of a closed load, and a rate makes an open one: give one of them")
	case flags.Changed("in-flight"):
		return errors.New("--ramp says how many calls are in flight, and --in-flight one number: give one of them")
	}
	if f.ramp, _, err = rampSchedule.read(flags, text, set); err == nil && f.ramp.Most() == 0 {
		err = fmt.Errorf("--ramp %s: no call is ever in flight", text)
	}
	return err
}

// read reads the flag's value, and sets how long the load takes, unless --duration says so.
func (form scheduleForm) read(
	flags *pflag.FlagSet, text string, set func(key, value, flag string),
) (*plan.Schedule, time.Duration, error) {
	if flags.Changed("calls") || flags.Changed("total") || flags.Changed("iterations") {
		return nil, 0, fmt.Errorf("--%s ends after a time, and not after a number of calls", form.flag)
	}
	s, err := form.parse(text)
	if err != nil {
		return nil, 0, err
	}
	given, ok := given(flags, "duration")
	if !ok {
		set("duration", s.Length().String(), "--"+form.flag+" "+text+":")
		return s, s.Length(), nil
	}
	length, err := parseLength(given)
	if err != nil {
		return nil, 0, fmt.Errorf("--duration: %w", err)
	}
	return s, length, nil
}

// rateInFlight is how many calls of a rate may be in flight on a connection where nobody says, as in ghz: with one, the
// rate would be what one call after another allows.
const rateInFlight = "50"

// shape is connections, and how many calls in flight on each: of a ramp so many that its highest has room.
func (f *loadFlags) shape(flags *pflag.FlagSet) (shape scenario.Override, given bool) {
	given = flags.Changed("connections") || flags.Changed("in-flight")
	inFlight, flag := f.inFlight, "--in-flight "+f.inFlight
	switch {
	case f.ramp != nil:
		each := math.Ceil(f.ramp.Most() / float64(connectionsOf(flags)))
		inFlight, flag, given = strconv.Itoa(int(each)), "--ramp "+f.ramp.Name, true
	case (f.rate != "" || f.schedule != nil) && !flags.Changed("in-flight"):
		inFlight, flag, given = rateInFlight, "--in-flight "+rateInFlight, true
	}
	return scenario.Override{
		Key: "shape", Value: f.connections + "x" + inFlight, Flag: "--connections " + f.connections + " " + flag,
	}, given
}
