package analysis

import (
	"cmp"
	"strconv"
	"strings"

	"rpcbench/internal/plan"
)

// backgroundText is Key.Background: a Key must be comparable.
func backgroundText(b *plan.Background) string {
	if b == nil {
		return ""
	}
	set := map[string]string{
		"kind": b.Kind, "request_bytes": strconv.Itoa(b.RequestBytes), "response_bytes": strconv.Itoa(b.ResponseBytes),
	}
	if b.Messages > 0 {
		set["messages"] = strconv.Itoa(b.Messages)
	}
	return options(set)
}

// Beside returns what was called beside the measured calls, nil for nothing.
func (k Key) Beside() *plan.Background {
	if k.Background == "" {
		return nil
	}
	set := map[string]string{}
	for pair := range strings.SplitSeq(k.Background, ";") {
		name, value, _ := strings.Cut(pair, "=")
		set[name] = value
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(set[name]) // backgroundText wrote it; messages may be absent, which is 0
		return n
	}
	return &plan.Background{Kind: set["kind"], RequestBytes: number("request_bytes"),
		ResponseBytes: number("response_bytes"), Messages: number("messages")}
}

// compareBackgrounds orders keys by what was beside their calls, nothing and smaller ones first.
func compareBackgrounds(k, o Key) int {
	a, b := k.Beside(), o.Beside()
	if a == nil || b == nil {
		return compareBool(a != nil, b != nil)
	}
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Messages, b.Messages),
		cmp.Compare(a.RequestBytes+a.ResponseBytes, b.RequestBytes+b.ResponseBytes),
		cmp.Compare(k.Background, o.Background),
	)
}
