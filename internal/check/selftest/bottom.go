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
		{"clock, least step", rough(f.ClockStep),
			fmt.Sprintf("latencies less than %s apart are indistinguishable", rough(f.ClockStep))},
		{"timer late, p50", rough(f.LateP50), "the pacer busy-waits for this long, so calls of an open loop are " +
			"sent on time"},
		{"timer late, p99", rough(f.LateP99), timerWord(f)},
		{"hiccups over 100µs", fmt.Sprintf("%.3g/s", f.HiccupsPerSec), "a runnable thread was not scheduled"},
		{"hiccup, longest", rough(f.HiccupMax), hiccupWord(f)},
		{"loopback, p50", rough(f.RoundTripP50), "the lower bound of any call over TCP"},
		{"loopback, p99", rough(f.RoundTripP99), fmt.Sprintf("differences below %s are not reliable", rough(f.Doubt()))},
		{"loopback now and then, p50", rough(f.SparseP50), "the transport's part of a response, added to the " +
			"expected values of open loops"},
		{"loopback, one way", fmt.Sprintf("%.0f MB/s", f.BytesPerSec/1e6), "the upper bound of any stream over TCP"},
	}
}

func clockWord(f floor.Floor) string {
	// A call reads the clock a few times; a microsecond in all is what no RPC notices.
	if f.ClockCost > 300*time.Nanosecond {
		return "slow: the machine has no fast clock, so calls below 100µs appear too long"
	}
	return "negligible compared with a call"
}

func timerWord(f floor.Floor) string {
	if f.LateP99 > timerUsual {
		return fmt.Sprintf("late: in an open loop, a p99 below %s is not reliable", rough(10*f.LateP99))
	}
	return "normal for an idle machine"
}

func hiccupWord(f floor.Floor) string {
	if f.HiccupMax > hiccupUsual {
		return fmt.Sprintf("other programs use this machine: a maximum or p99.9 below %s is not reliable", rough(10*f.HiccupMax))
	}
	return "the machine was idle"
}

// rough prints a time in two digits.
func rough(d time.Duration) string {
	if d <= 0 {
		return "0s"
	}
	unit := time.Duration(math.Pow10(max(int(math.Log10(float64(d)))-1, 0)))
	return d.Round(unit).String()
}
