package compare

import "rpcbench/internal/results/analysis"

// Differing lists the axes that have several values in a report, besides the floor.
func Differing(r *analysis.Report) []string {
	var names []string
	for _, axis := range axes {
		values := map[string]bool{}
		for _, row := range r.Rows {
			if !row.IsFloor() {
				values[axis.value(row)] = true
			}
		}
		if len(values) > 1 {
			names = append(names, axis.Name)
		}
	}
	return names
}
