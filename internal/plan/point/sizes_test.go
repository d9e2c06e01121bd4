package point

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/stack"
)

// With a byte order mark the first line looked like a heading, and was left out.
func TestLengthsMayBeWrittenOnWindows(t *testing.T) {
	t.Parallel()
	want := []stack.SizeBin{{Least: 100, Most: 100, Weight: 90_000}, {Least: 1000, Most: 2000, Weight: 10_000}}
	for _, text := range []string{
		"100,90\n1000,2000,10\n", "\ufeff100,90\r\n1000,2000,10\r\n", "\ufefflength,weight\r\n100,90\r\n1000,2000,10",
	} {
		if got, err := ReadSizes(strings.NewReader(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
