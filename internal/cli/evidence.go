package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/schedule"
	"rpcbench/internal/results/evidence"
	"rpcbench/internal/run/driver"
)

// stallMin is the least that --stall may be: workers report ten times a second, and a slow call is no standstill.
const stallMin = time.Second

// evidenceFlags select what is kept of a trial besides its figures.
type evidenceFlags struct {
	profile bool
	stall   string
	dumps   string

	stallAfter time.Duration
}

func (f *evidenceFlags) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&f.profile, "profile", false,
		"profile client and server during measurement, into a folder next to the results")
	flags.StringVar(&f.stall, "stall", "", fmt.Sprintf("dump threads next to the results when no call completes for this "+
		"`duration` (default %s, or the deadline if it is longer)", number.Span(driver.DefaultStall)))
	flags.StringVar(&f.dumps, "dumps", "threads", "`content` of the dumps of a stalled trial: threads, or heap for both")
}

// check refuses words that mean nothing.
func (f *evidenceFlags) check() error {
	var err error
	if f.stall != "" {
		f.stallAfter, err = schedule.ParseDuration(f.stall)
	}
	switch {
	case errors.Is(err, schedule.ErrTooLong):
		return fmt.Errorf("--stall: %s %w", f.stall, err)
	case err != nil:
		return fmt.Errorf("--stall: %q is not a duration such as 10s", f.stall)
	case f.stall != "" && f.stallAfter < stallMin:
		return fmt.Errorf("--stall %s: it is below the minimum of %s", f.stall, stallMin)
	case f.dumps != "threads" && f.dumps != "heap":
		return fmt.Errorf("--dumps %s: must be threads or heap", f.dumps)
	}
	return nil
}

// watch tells the driver what to keep, and where: in the folder named after the results.
func (f *evidenceFlags) watch(config *driver.Config, results string) {
	config.Profile, config.Stall, config.HeapDumps = f.profile, f.stallAfter, f.dumps == "heap"
	config.Evidence = evidence.FolderOf(results)
}
