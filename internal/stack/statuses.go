package stack

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Statuses are those of HTTP with which a call succeeds. None at all are 200 to 299.
type Statuses []StatusRange

// A StatusRange goes from the first status to the last.
type StatusRange struct{ First, Last int }

// usualStatuses are a success unless others are expected.
var usualStatuses = Statuses{{200, 299}}

// ParseStatuses reads "200, 404", "200-299", "3xx", or several of them, with commas between them; "" is none.
func ParseStatuses(text string) (Statuses, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var all Statuses
	for word := range strings.SplitSeq(text, ",") {
		one, ok := statusRange(strings.TrimSpace(word))
		if !ok {
			return nil, fmt.Errorf("%q is not a status of HTTP, such as 200, 4xx or 200-299", strings.TrimSpace(word))
		}
		all = append(all, one)
	}
	return all, nil
}

func statusRange(word string) (r StatusRange, ok bool) {
	from, to, several := strings.Cut(word, "-")
	switch class, isClass := strings.CutSuffix(strings.ToLower(word), "xx"); {
	case isClass:
		from, to = class+"00", class+"99"
	case !several:
		to = from
	}
	return StatusRange{statusOf(from), statusOf(to)}, statusOf(from) > 0 && statusOf(from) <= statusOf(to)
}

// statusOf returns the final status that three digits are; 0 is none. Interim ones, below 200, end no call.
func statusOf(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits) != 3 || n < 200 {
		return 0
	}
	return n
}

// String is as ParseStatuses reads it, "" for none.
func (s Statuses) String() string {
	words := make([]string, len(s))
	for i, r := range s {
		words[i] = strconv.Itoa(r.First)
		if r.Last > r.First {
			words[i] += "-" + strconv.Itoa(r.Last)
		}
	}
	return strings.Join(words, ",")
}

// Has reports whether a status is a success.
func (s Statuses) Has(status int) bool {
	if len(s) == 0 {
		s = usualStatuses
	}
	return slices.ContainsFunc(s, func(r StatusRange) bool { return r.First <= status && status <= r.Last })
}

// Check returns the outcome of a call that a server answered with a status: nil is success.
func (s Statuses) Check(status int) error {
	if s.Has(status) {
		return nil
	}
	text := http.StatusText(status)
	switch {
	case text == "":
		text = "a status without a name"
	case usualStatuses.Has(status):
		text += ", expected " + s.String()
	}
	if status >= 300 && status < 400 && status != http.StatusNotModified {
		text += "; redirects are not followed, and rpcbench call shows where it leads"
	}
	return Errorf(StatusCode(status), "%d %s", status, text)
}
