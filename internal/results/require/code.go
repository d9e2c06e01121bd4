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

// errorsOf is the count of errors with one of the codes, by their names in results or by statuses of HTTP.
func errorsOf(codes string) (figure, error) {
	var all []func(code string) bool
	for word := range strings.SplitSeq(codes, ",") {
		is, err := codeOf(strings.TrimSpace(word))
		if err != nil {
			return figure{}, err
		}
		all = append(all, is)
	}
	count := func(row *analysis.Row) (sum int64) {
		for _, outcome := range row.Outcomes {
			if slices.ContainsFunc(all, func(is func(string) bool) bool { return is(outcome.Code) }) {
				sum += outcome.Calls
			}
		}
		return sum
	}
	return figure{column: ofCodes + codes, name: ofCodes + codes, count: count, ofErrors: true}, nil
}

// codeOf returns what tells whether an error has the code that a word names.
func codeOf(word string) (is func(code string) bool, err error) {
	name := strings.ToUpper(word)
	if slices.Contains(errorNames(), name) {
		return func(code string) bool { return code == name }, nil
	}
	statuses, err := stack.ParseStatuses(strings.TrimPrefix(name, ofStatus))
	if err != nil || len(statuses) == 0 {
		near := hint.Near(word, errorNames())
		if near == "" {
			near = ": use one of gRPC's, such as UNAVAILABLE, a status of HTTP, such as 503 or 5xx, MISMATCH, UNSENT or UNFINISHED"
		}
		return nil, fmt.Errorf("unknown code %q%s", word, near)
	}
	return func(code string) bool {
		digits, isStatus := strings.CutPrefix(code, ofStatus)
		status, err := strconv.Atoi(digits)
		return isStatus && err == nil && statuses.Has(status)
	}, nil
}

// errorNames are the codes of errors, apart from statuses of HTTP.
func errorNames() []string {
	names := []string{result.CodeUnsent, result.CodeUnfinished}
	for code := stack.Canceled; code <= stack.Mismatch; code++ {
		names = append(names, code.String())
	}
	return names
}
