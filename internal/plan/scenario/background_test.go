package scenario

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/point"
)

func TestABackgroundHasTheDefaultsOfItsKind(t *testing.T) {
	t.Parallel()
	s, err := Parse("b.yaml", []byte(`
name: b
question: What?
cases:
  - title: a
    kind: unary
    background: [none, {kind: unary, request_bytes: 1kB}, {kind: stream, messages: 100, request_bytes: 10, response_bytes: 20},
      {kind: download}, {kind: upload, messages: 7}]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []*point.Background{
		nil,
		{Kind: "unary", RequestBytes: 1000, ResponseBytes: 1000},
		{Kind: "stream", RequestBytes: 10, ResponseBytes: 20, Messages: 100},
		{Kind: "download", ResponseBytes: 1000, Messages: 1000},
		{Kind: "upload", RequestBytes: 1000, Messages: 7},
	}
	got := listed(s.Cases[0], "background", func(p point.Asked) *point.Background { return p.Background })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestABadBackgroundIsOneSentence(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"{kind: connect}":                      `background: kind: "connect" is unknown; known: unary, stream, upload, download`,
		"{kind: stream, mesages: 3}":           `background: "mesages" is unknown; did you mean "messages"?`,
		"{kind: unary, messages: 3}":           "background: messages: a unary call has no messages",
		"{kind: stream, request_bytes: -1}":    "background: request_bytes: -1 is below the minimum of 0",
		"{kind: stream, messages: 0}":          "background: messages: 0 is below the minimum of 1",
		"{kind: stream, request_bytes: [1,2]}": "background: request_bytes: a list is given; expected one value",
		"loud": "background: a value is given; expected none or a map such as " +
			"{kind: stream, messages: 100}",
	} {
		text := "name: b\nquestion: What?\ncases:\n  - title: a\n    kind: unary\n    background: " + value + "\n"
		_, err := Parse("b.yaml", []byte(text))
		if err == nil || !strings.HasSuffix(err.Error(), ": "+want) || !strings.HasPrefix(err.Error(), "b.yaml:6:1") {
			t.Errorf("%s:\n got %v\nwant %s", value, err, want)
		}
	}
}
