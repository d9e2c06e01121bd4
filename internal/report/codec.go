package report

import (
	"fmt"

	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// byMessage parts a table of encodings and decodings into one for each message, and leaves others as they are. Sizes
// and times of different messages are not to be read against each other.
func byMessage(table *analysis.Table) []*analysis.Table {
	if naming.QuestionOf(table.Rows) != naming.Coding {
		return []*analysis.Table{table}
	}
	var parts []*analysis.Table
	for _, row := range table.Rows {
		title := fmt.Sprintf("%s, %s", table.Title, row.Spec.Message)
		if len(parts) == 0 || parts[len(parts)-1].Title != title {
			parts = append(parts, &analysis.Table{Scenario: table.Scenario, Title: title})
		}
		last := parts[len(parts)-1]
		last.Rows = append(last.Rows, row)
	}
	return parts
}
