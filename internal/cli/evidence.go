package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"rpcbench/internal/run/driver"
)

// stallMin is the least that --stall may be: workers report ten times a second, and a slow call is no standstill.
const stallMin = time.Second

// evidenceFlags are what is kept of a trial beside its figures.
type evidenceFlags struct {
	profile bool
	stall   string
	dumps   string

	stallAfter time.Duration
}

func (f *evidenceFlags) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&f.profile, "profile", false, "profile both sides while they are measured, into a folder beside the results")
	flags.StringVar(&f.stall, "stall", driver.DefaultStall.String(),
		"a trial stalls when no call is completed for so long: its threads are dumped beside the results")
	flags.StringVar(&f.dumps, "dumps", "threads", "of a trial that stalls: threads, or heap, which has both")
}

// check refuses words that mean nothing.
func (f *evidenceFlags) check() error {
	var err error
	f.stallAfter, err = time.ParseDuration(f.stall)
	switch {
	case err != nil:
		return fmt.Errorf("--stall: %q is not a duration such as 10s", f.stall)
	case f.stallAfter < stallMin:
		return fmt.Errorf("--stall %s: it is under the limit of %s", f.stall, stallMin)
	case f.dumps != "threads" && f.dumps != "heap":
		return fmt.Errorf("--dumps %s: it is threads or heap", f.dumps)
	}
	return nil
}

// watch tells the driver what to keep, and where: in the folder that has the name of the results.
func (f *evidenceFlags) watch(config *driver.Config, results string) {
	config.Profile, config.Stall, config.HeapDumps = f.profile, f.stallAfter, f.dumps == "heap"
	config.Evidence = evidenceFolder(results)
}

func evidenceFolder(results string) string {
	return strings.TrimSuffix(results, ".jsonl") + ".evidence"
}
