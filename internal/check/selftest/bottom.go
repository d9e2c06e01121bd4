package selftest

import (
	"fmt"
	"time"

	"rpcbench/internal/check/floor"
	"rpcbench/internal/plan/number"
)

// Usual values on an idle machine. The table says what suffers beyond them.
const (
	timerUsual  = 200 * time.Microsecond // lateness of a timer at the p99: a virtual machine's waking from idleness
	hiccupUsual = time.Millisecond       // as long as a fast call over loopback, several times
)

// floorRows describe what was measured of the machine and what follows from it.
func floorRows(f floor.Floor) [][]string {
	return [][]string{
		{"clock, one reading", printed(f.ClockCost), clockWord(f)},
		{"clock, least step", printed(f.ClockStep),
			fmt.Sprintf("latencies less than %s apart are indistinguishable", printed(f.ClockStep))},
		{"timer late, p50", printed(f.LateP50), "the pacer busy-waits for this long, so calls of an open loop are " +
			"sent on time"},
		{"timer late, p99", printed(f.LateP99), timerWord(f)},
		{"hiccups over 100 µs", number.None.Text(f.HiccupsPerSec) + "/s", "a runnable thread was not scheduled"},
		{"hiccup, longest", printed(f.HiccupMax), hiccupWord(f)},
		{"loopback, p50", printed(f.RoundTripP50), "the lower bound of any call over TCP"},
		{"loopback, p99", printed(f.RoundTripP99), fmt.Sprintf("differences below %s are not reliable", printed(f.Doubt()))},
		{"loopback now and then, p50", printed(f.SparseP50), "the transport's part of a response, added to the " +
			"expected values of open loops"},
		{"loopback, one way", number.Bytes.Text(f.BytesPerSec) + "/s", "the upper bound of any stream over TCP"},
	}
}

func clockWord(f floor.Floor) string {
	// A call reads the clock a few times; a total of one microsecond is negligible for any RPC.
	if f.ClockCost > 300*time.Nanosecond {
		return "slow: the machine has no fast clock, so calls below 100 µs appear too long"
	}
	return "negligible compared with a call"
}

func timerWord(f floor.Floor) string {
	if f.LateP99 > timerUsual {
		return fmt.Sprintf("late: in an open loop, a p99 below %s is not reliable", printed(10*f.LateP99))
	}
	return "normal for an idle machine"
}

func hiccupWord(f floor.Floor) string {
	if f.HiccupMax > hiccupUsual {
		return fmt.Sprintf("other programs use this machine: a maximum or p99.9 below %s is not reliable", printed(10*f.HiccupMax))
	}
	return "the machine was idle"
}

func printed(d time.Duration) string { return number.Duration(float64(d)) }
