package plain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rpcbench/internal/call/plain"
)

const hostile = "a\x1b[31mred\u009b2J\u202eesrever\u2066\x00\r\n\tb\x9b\U000e0041\u200b"

func TestALineHasNothingHidden(t *testing.T) {
	t.Parallel()
	if got, want := plain.Line(hostile), "a [31mred 2J esrever b\ufffd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := plain.Line(" Kürzel  – ěšč \n"), "Kürzel – ěšč"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := plain.Short("ünlimited", 3), "ünl…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAWriterKeepsLinesAndTabs(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	n, err := plain.Writer{To: &out}.Write([]byte(hostile))
	if want := "a [31mred 2J esrever   \n\tb\ufffd  "; out.String() != want || n != len(hostile) || err != nil {
		t.Errorf("got %q, %d, %v, want %q", out.String(), n, err, want)
	}
}

func TestEscapedJSONSaysTheSame(t *testing.T) {
	t.Parallel()
	text, err := json.MarshalIndent([]string{hostile}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	escaped := plain.Escape(text)
	if strings.ContainsFunc(strings.ReplaceAll(string(escaped), "\n", ""), plain.Hidden) {
		t.Errorf("something hidden is left in %q", escaped)
	}
	var got []string
	if err := json.Unmarshal(escaped, &got); err != nil || got[0] != strings.ToValidUTF8(hostile, "\ufffd") {
		t.Errorf("got %q, %v", got, err)
	}
}
