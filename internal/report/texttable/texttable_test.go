package texttable_test

import (
	"testing"

	"rpcbench/internal/report/texttable"
)

func TestColumnsStandApartAndLinesEndWithoutSpaces(t *testing.T) {
	t.Parallel()
	table := texttable.New("  ", "stack", "p50", "so\nmuch")
	texttable.AlignRight(table, 2)
	table.AppendRow([]any{"tcp", "9 µs", ""})
	table.AppendRow([]any{"grpc-go", "110 µs", "slow"})
	const want = "" +
		"stack       p50  so\n" +
		"                 much\n" +
		"tcp        9 µs\n" +
		"grpc-go  110 µs  slow"
	if got := texttable.Render(table); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
