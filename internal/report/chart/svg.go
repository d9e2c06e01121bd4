package chart

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// Write draws what rows mean together, a file for each chart, into dir, which is made if need be:
//
//   - NAME-batch-NN.svg: operations a second over the batch;
//   - NAME-load-NN.svg: the p99 response over the calls a second, of open loads;
//   - NAME-callers-NN.svg: calls a second over the callers, with the universal scalability law where it can be fitted;
//   - NAME-stacks-NN.svg: the headline of each row as a bar, of tables that have none of these curves;
//   - NAME-percentiles-NN.svg: the response at each percentile, of all rows of a table, or of its first and last point.
//
// NAME is the scenario's. A line is a stack, or a stack at a point; its style is the same in all charts, its figures are
// medians over trials, with their spread. It returns the names of the files written, and an error where there is nothing to draw.
func Write(dir string, r *analysis.Report) ([]string, error) {
	charts, err := chartsOf(r)
	if err != nil {
		return nil, err
	}
	if len(charts) == 0 {
		return nil, document.Misfit("no chart can be drawn from %s: no trial with a latency succeeded", naming.Sources(r))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var written []string
	numbers, styles := map[string]int{}, map[string]int{}
	for _, c := range charts {
		numbers[c.name]++
		name := fmt.Sprintf("%s-%02d.svg", c.name, numbers[c.name])
		picture, err := c.svg(styles)
		if err != nil {
			return written, fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), picture, 0o644); err != nil {
			return written, err
		}
		written = append(written, name)
	}
	return written, nil
}

// chartsOf makes the charts of a report, table by table.
func chartsOf(r *analysis.Report) ([]*chart, error) {
	var all []*chart
	for _, table := range r.Tables {
		all = append(all, mainCharts(table)...)
		curves, err := percentileCharts(table)
		if err != nil {
			return nil, err
		}
		all = append(all, curves...)
	}
	return all, nil
}

// mainCharts returns the charts that answer the question of a table: its curves or, without any, bars.
func mainCharts(table *analysis.Table) []*chart {
	curves := slices.Concat(batchCharts(table), loadCharts(table), callersCharts(table))
	if len(curves) == 0 {
		return barCharts(table)
	}
	return curves
}

// Main draws the chart that answers the question of a table, the first of several; nil where there is none.
func Main(table *analysis.Table) []byte {
	charts := mainCharts(table)
	if len(charts) == 0 {
		return nil
	}
	picture, err := charts[0].svg(map[string]int{})
	if err != nil { // of a chart that has nothing to draw
		return nil
	}
	return picture
}
