package report

import (
	"encoding/csv"
	"io"

	"rpcbench/internal/compare"
)

// writeCSV prints a header and one record per row: RFC 4180 with line feeds.
func writeCSV(w io.Writer, r *compare.Report) error {
	writer := csv.NewWriter(w)
	for i, row := range r.Rows {
		fields := columns(row)
		names, values := make([]string, len(fields)), make([]string, len(fields))
		for j, field := range fields {
			names[j], values[j] = field.Name, plain(field.Value)
		}
		if i == 0 {
			if err := writer.Write(names); err != nil {
				return err
			}
		}
		if err := writer.Write(values); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}
