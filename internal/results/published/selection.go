package published

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/results/analysis"
)

// rows returns those of the case that have a trial that succeeded.
func (c Case) rows(rows []*analysis.Row, free []string) []*analysis.Row {
	figure := Figure{Case: c, free: free}
	var found []*analysis.Row
	for _, row := range rows {
		if len(row.Trials) > 0 && figure.Matches(row) {
			found = append(found, row)
		}
	}
	return found
}

// words is "codec json, kind encode"; several values of a column are joined by "or".
func (c Case) words() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if values := strings.Join(texts(c[name]), " or "); values != "" {
			parts = append(parts, name+" "+values)
		}
	}
	return strings.Join(parts, ", ")
}

func (c *Claim) whereWords() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.Where)) {
		bounds := c.Where[name]
		switch {
		case bounds.To == 0:
			parts = append(parts, fmt.Sprintf("%s from %s", name, text(bounds.From)))
		case bounds.From == 0:
			parts = append(parts, fmt.Sprintf("%s up to %s", name, text(bounds.To)))
		default:
			parts = append(parts, fmt.Sprintf("%s from %s to %s", name, text(bounds.From), text(bounds.To)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func join(metrics []analysis.Metric) string {
	names := make([]string, len(metrics))
	for i, m := range metrics {
		names[i] = string(m)
	}
	return strings.Join(names, ", ")
}
