package report

import (
	"encoding/csv"
	"io"
	"iter"

	"rpcbench/internal/results/analysis"
)

func writeCSV(w io.Writer, r *analysis.Report) error {
	return writeRecords(w, func(yield func(object) bool) {
		for _, row := range r.Rows {
			if !yield(columns(row)) {
				return
			}
		}
	})
}

// writeRecords prints a header, the names of the first record's fields, and a line for each record: RFC 4180 with line
// feeds. All records have the same fields.
func writeRecords(w io.Writer, records iter.Seq[object]) error {
	writer := csv.NewWriter(w)
	headed := false
	for fields := range records {
		names, values := make([]string, len(fields)), make([]string, len(fields))
		for i, field := range fields {
			names[i], values[i] = field.Name, plain(field.Value)
		}
		if !headed {
			headed = true
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
