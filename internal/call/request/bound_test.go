package request_test

import (
	"strings"
	"testing"

	"rpcbench/internal/call/request"
	"rpcbench/internal/test/allocated"
)

// Not parallel, because it counts what the process allocates.
func TestAnInputIsBoundedBeforeItIsParsed(t *testing.T) {
	place := method(t, "Place")
	for _, c := range []struct{ format, text, want string }{
		{request.FormatJSON, strings.Repeat("[", 1_000_000), "in:1:1: values are nested more than 100 levels deep"},
		{request.FormatLines, strings.Repeat(`{"id":`, 1_000_000), "in:1:1: values are nested more than 100 levels deep"},
		{request.FormatJSON, "[" + strings.Repeat("{},", 10_000_000) + "{}]", "in:1:1: there are more than 8388608 values"},
		{request.FormatJSON, `{"id":[` + strings.Repeat("0,", 2_000_000) + "0]}", "in:1:1: there are more than 1048576 values"},
		{request.FormatCSV, strings.Repeat("a,", 1_000_000), "in:1: the row has more than 1000 columns"},
		{request.FormatCSV, "id\n" + strings.Repeat(",", 1_000_000), "in:2: the row has more than 1000 columns"},
	} {
		input := request.Input{Name: "in", Format: c.format, Text: []byte(c.text)}
		allocated.AtMost(t, 20<<20, func() {
			if _, err := request.New(place, input, fixed(1)); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
