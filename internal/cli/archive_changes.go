package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rpcbench/internal/report"
	"rpcbench/internal/report/archivetable"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/require"
)

// archiveChanges lists change points.
func (e *env) archiveChanges() *cobra.Command {
	var query queryFlags
	var token tokenFlags
	var format string
	var names []string
	command := &cobra.Command{
		Use:     "changes DIR|URL",
		Short:   "List the commits at which metrics changed",
		Example: "  rpcbench archive changes history --branch main --metric response_p99",
		RunE: func(command *cobra.Command, args []string) error {
			if err := errors.Join(only(args, 1, "changes"), checkFormat(format, document.Formats())); err != nil {
				return badInput(err)
			}
			var metrics []analysis.Metric
			for _, name := range names {
				metric, err := require.Metric(name)
				if err != nil {
					return badInput(fmt.Errorf("--metric: %w", err))
				}
				metrics = append(metrics, metric)
			}
			place, release, err := token.open(args, false)
			if err != nil {
				return badInput(err)
			}
			defer release()
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			var series []archive.Series
			for _, metric := range metrics {
				of, err := place.History(ctx, query.Query, metric)
				if err != nil {
					return orInterrupted(ctx, orRefused(err))
				}
				series = append(series, of...)
			}
			return e.print("", report.Options{}, func(w io.Writer, options report.Options) error {
				return archivetable.WriteChanges(w, format, series, options.Style)
			})
		},
	}
	query.flags(command.Flags())
	token.flags(command.Flags())
	usual := []string{"response_p50_ns", "response_p99_ns", "calls_per_sec", "client_cpu_ns_per_call", "server_cpu_ns_per_call"}
	command.Flags().StringArrayVar(&names, "metric", usual, "`metric`, a CSV column, with or without its unit; repeatable (default "+
		strings.Join(usual, ", ")+")")
	command.Flags().Lookup("metric").DefValue = ""
	addFormat(command.Flags(), &format, outputFormat, document.Formats())
	return command
}
