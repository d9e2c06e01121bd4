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

// Random texts are tried short, and sent at their length. Not parallel, because it counts what the process allocates.
func TestWhatFunctionsGiveIsBoundedBeforeItIsTried(t *testing.T) {
	place, whole := method(t, "Place"), `{"id": "{{random_text 16777216}}"}`
	several := func(n int) string { return `{"id": "` + strings.Repeat("{{random_text 16777216}}", n) + `"}` }
	for _, c := range []struct{ text, want string }{
		{strings.Repeat(whole+"\n", 100), ""},
		{strings.Repeat(`{"token": "{{random_bytes 16777216}}"}`+"\n", 100), ""},
		{several(3), ""},
		{several(5), "in:1:1: the message has 83886083 bytes, above the limit of 67108864"},
		{several(9), "in:1:177: with this function the text has more than 128 MiB"},
	} {
		input := request.Input{Name: "in", Format: request.FormatLines, Text: []byte(c.text)}
		allocated.AtMost(t, 4<<20, func() {
			_, err := request.New(place, input, fixed(1))
			if c.want != "" {
				wantError(t, err, c.want)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	allocated.AtMost(t, 1<<20, func() {
		if _, err := parseMetadata(fixed(1), "a: {{random_text 16777216}}"); err != nil {
			t.Error(err)
		}
	})
	const sent = 1 + 4 + 16<<20 // a tag, a length, the text
	if got := len(appended(t, source(t, "Place", whole), 0, 0)); got != sent {
		t.Errorf("%d bytes are sent, want %d", got, sent)
	}
}

// A short text fits where the whole one does.
func TestARandomTextIsTriedAsBase64(t *testing.T) {
	t.Parallel()
	for length, fits := range map[string]bool{"1000": true, "1001": false, "1002": true, "1003": true, "1004": true} {
		if _, err := parseMetadata(fixed(1), "a-bin: {{random_text "+length+"}}"); (err == nil) != fits {
			t.Errorf("%s characters: %v", length, err)
		}
	}
}

func TestValuesOfAllRequestsAreBounded(t *testing.T) {
	t.Parallel()
	options := withRows(t, "a\n"+strings.Repeat("x", 1000)+"\n", false)
	input := request.Input{Name: "in", Format: request.FormatLines, Text: []byte(strings.Repeat(`{"id": "{{column "a"}}"}`+"\n", 2))}
	if _, err := request.NewAfter(510<<20, method(t, "Place"), input, options); err != nil {
		t.Error(err)
	}
	_, err := request.NewAfter(512<<20-1000, method(t, "Place"), input, options)
	wantError(t, err, "in:2:1: the functions of the requests up to here give more than 512 MiB")
}
