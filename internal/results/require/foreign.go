package require

import (
	"fmt"
	"strconv"
	"strings"

	"rpcbench/internal/plan/number"
)

// k6Names maps k6's names of figures, besides p(N), to ours.
var k6Names = map[string]string{
	"med": "p50", "http_req_failed": errorCount, "http_reqs": "calls_per_sec", "iterations": "calls_per_sec",
}

// ofK6 returns the error for a requirement that is spelled as k6 spells a threshold, with what to write here: k6's times are in
// milliseconds, and it writes 1% as 0.01. It returns nil for any other.
func ofK6(name, op, value string) error {
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	ours := k6Names[name]
	if percentile, is := strings.CutPrefix(name, "p("); is && strings.HasSuffix(percentile, ")") {
		ours = "p" + strings.TrimSuffix(percentile, ")")
	}
	if ours == "" {
		return nil
	}
	if bare, err := strconv.ParseFloat(value, 64); err == nil {
		switch {
		case strings.HasPrefix(ours, "p"):
			value += "ms"
		case ours == errorCount && bare > 0 && bare < 1:
			value = number.Short(100*bare) + "%"
		}
	}
	meant := ours + op + value
	if _, err := Parse(meant); err == nil {
		return fmt.Errorf("unknown figure %q; did you mean %s?", name, meant)
	}
	return nil
}
