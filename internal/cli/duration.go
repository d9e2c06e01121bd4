package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/schedule"
)

// A durationFlag is a pflag.Value with the format of scenarios' durations: 5s, 300ms, or a number of seconds.
type durationFlag struct{ value *time.Duration }

// durationVar adds a flag for a duration.
func durationVar(flags *pflag.FlagSet, value *time.Duration, name string, fallback time.Duration, usage string) {
	*value = fallback
	flags.Var(durationFlag{value}, name, usage)
}

// Set implements pflag.Value.
func (f durationFlag) Set(text string) error {
	read, err := schedule.ParseDuration(text)
	if errors.Is(err, schedule.ErrTooLong) {
		return fmt.Errorf("%s %w", text, err)
	}
	if err != nil {
		return fmt.Errorf("%q is not a duration, such as 5s, 300ms or a number of seconds", text)
	}
	*f.value = read
	return nil
}

// String implements pflag.Value.
func (f durationFlag) String() string {
	if f.value == nil || *f.value == 0 {
		return ""
	}
	return number.Span(*f.value)
}

// Type implements pflag.Value.
func (durationFlag) Type() string { return "duration" }
