package point

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/test/manualtest"
)

var update = flag.Bool("update", false, "write the manual's table of keys anew")

// TestTheManualsKeysAreThoseDeclared holds the table of docs/scenarios.md to the declarations; -update writes it anew.
func TestTheManualsKeysAreThoseDeclared(t *testing.T) {
	t.Parallel()
	const head = "| key | axis | values | default | kinds that may have it |\n"
	manualtest.Table(t, "scenarios.md", head, keyTable(), *update)
}

func keyTable() string {
	var table strings.Builder
	table.WriteString("|---|---|---|---|---|\n")
	for _, k := range Declared() {
		if k.Values == "" {
			continue // no case can give it
		}
		axis := map[bool]string{true: "yes", false: "no"}[k.Axis]
		row := fmt.Sprintf("| `%s` | %s | %s | %s | %s", k.Name, axis, k.Values, k.Otherwise, kindWords(k.Kinds))
		table.WriteString(strings.TrimRight(row, " ") + " |\n")
	}
	return table.String()
}

// kindWords is "all", "all but encode, decode", or a list.
func kindWords(can []string) string {
	lacking := slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return slices.Contains(can, kind) })
	switch {
	case len(can) == 0:
		return ""
	case len(lacking) == 0:
		return "all"
	case len(lacking) <= 3:
		return "all but " + strings.Join(lacking, ", ")
	default:
		return strings.Join(can, ", ")
	}
}
