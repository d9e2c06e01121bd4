package selftest

import (
	"fmt"
	"math"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"rpcbench/internal/check/floor"
)

// What is usual on a machine with nothing else to do: beyond it the table says what suffers.
const (
	timerUsual  = 200 * time.Microsecond // lateness of a timer at the p99: a virtual machine's waking from idleness
	hiccupUsual = time.Millisecond       // as long as a fast call over loopback, several times
)

// floorRows say what was found of the machine and what follows of it.
func floorRows(f floor.Floor) []table.Row {
	return []table.Row{
		{"clock, one reading", rough(f.ClockCost), clockWord(f)},
		{"clock, least step", rough(f.ClockStep), fmt.Sprintf("two latencies closer than %s look alike", rough(f.ClockStep))},
		{"timer late, p50", rough(f.LateP50), "the pacer spins over this: an open load's calls are made in time"},
		{"timer late, p99", rough(f.LateP99), timerWord(f)},
		{"hiccups over 100µs", fmt.Sprintf("%.3g/s", f.HiccupsPerSec), "a thread that wanted to run did not"},
		{"hiccup, longest", rough(f.HiccupMax), hiccupWord(f)},
		{"loopback, p50", rough(f.RoundTripP50), "no call over TCP takes less here"},
		{"loopback, p99", rough(f.RoundTripP99), fmt.Sprintf("differences under %s can't be believed here", rough(f.Doubt()))},
		{"loopback now and then, p50", rough(f.SparseP50), "so much of a response is the way: added to what is true of open loads"},
		{"loopback, one way", fmt.Sprintf("%.0f MB/s", f.BytesPerSec/1e6), "no stream over TCP carries more here"},
	}
}

func clockWord(f floor.Floor) string {
	// A call reads the clock a few times; a microsecond in all is what no RPC notices.
	if f.ClockCost > 300*time.Nanosecond {
		return "dear: the machine has no fast clock, and calls under 100µs are shown too long"
	}
	return "nothing beside a call"
}

func timerWord(f floor.Floor) string {
	if f.LateP99 > timerUsual {
		return fmt.Sprintf("late: in an open load, don't trust a p99 under %s", rough(10*f.LateP99))
	}
	return "as late as an idle machine's"
}

func hiccupWord(f floor.Floor) string {
	if f.HiccupMax > hiccupUsual {
		return fmt.Sprintf("others use this machine: don't trust a maximum or a p99.9 under %s", rough(10*f.HiccupMax))
	}
	return "the machine was ours"
}

// rough prints a time in two digits.
func rough(d time.Duration) string {
	if d <= 0 {
		return "0s"
	}
	unit := time.Duration(math.Pow10(max(int(math.Log10(float64(d)))-1, 0)))
	return d.Round(unit).String()
}
