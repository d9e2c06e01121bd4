package require

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// ofCodes begins the name of a count of errors with some codes: "errors:UNAVAILABLE", "errors:DEADLINE_EXCEEDED,5xx".
const ofCodes = errorCount + ":"

// ofStatus begins the code of an error that is a status of HTTP.
const ofStatus = "HTTP_"

// codes are those of errors, by their names in results, and statuses of HTTP.
type codes struct {
	names    []string
	statuses stack.Statuses
}

func parseCodes(text string) (c codes, err error) {
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if name := strings.ToUpper(word); slices.Contains(errorNames(), name) {
			c.names = append(c.names, name)
			continue
		}
		statuses, err := stack.ParseStatuses(strings.TrimPrefix(strings.ToUpper(word), ofStatus))
		if err != nil || len(statuses) == 0 {
			near := hint.Near(word, errorNames())
			if near == "" {
				near = ": use one of gRPC's, such as UNAVAILABLE, a status of HTTP, such as 503 or 5xx, MISMATCH, UNSENT or UNFINISHED"
			}
			return c, fmt.Errorf("unknown code %q%s", word, near)
		}
		c.statuses = append(c.statuses, statuses...)
	}
	return c, nil
}

func (c codes) has(code string) bool {
	digits, isStatus := strings.CutPrefix(code, ofStatus)
	if !isStatus || len(c.statuses) == 0 {
		return slices.Contains(c.names, code)
	}
	status, err := strconv.Atoi(digits)
	return err == nil && c.statuses.Has(status)
}

// errorsOf is the count of errors with one of the codes.
func errorsOf(text string) (figure, error) {
	c, err := parseCodes(text)
	f := errorsWith(ofCodes+text, c.has)
	f.ofURLs = len(c.names) == 0
	return f, err
}

// errorsWith is the count of errors whose codes are counted.
func errorsWith(name string, counts func(code string) bool) figure {
	return figure{column: name, name: name, counts: counts, count: func(row *analysis.Row) (sum int64) {
		for _, outcome := range row.Outcomes {
			if counts(outcome.Code) {
				sum += outcome.Calls
			}
		}
		return sum
	}}
}

// errorNames are the codes of errors, apart from statuses of HTTP.
func errorNames() []string {
	names := []string{result.CodeUnsent, result.CodeUnfinished}
	for code := stack.Canceled; code <= stack.Mismatch; code++ {
		names = append(names, code.String())
	}
	return names
}
