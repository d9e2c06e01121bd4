package document

import (
	"bytes"
	"testing"

	"rpcbench/internal/results/require"
)

var held = Source{
	Of: "tests",
	Document: func() Document {
		return Document{Answer{"Fine."}, Notes{Title: "r", Lines: []string{"1 kB"}}, Heading("Rest")}
	},
	JSON: func() any { return nil },
	Checks: Checks{Of: "r.jsonl", List: []Check{
		{Name: "errors<1%", Why: []string{"0%", "grpc-go unary"}},
		{Name: "response_p99<5ms", Result: require.NotMet, Why: []string{"6 ms", `a "row" <b>` + "\x07"}},
		{Name: "response_p50<1ms", Result: require.Inconclusive},
	}},
}

func TestChecksComeAfterTheTitleOfADocument(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		Text: "Fine.\n\nr\n  1 kB\n\nRest\n",
		Markdown: "Fine.\n\n**r**\n\n- 1 kB\n\n- **errors&lt;1%**: met: 0%; grpc-go unary\n" +
			"- **response\\_p99&lt;5ms**: not met: 6 ms; a \"row\" &lt;b&gt;\n- **response\\_p50&lt;1ms**: inconclusive\n\n### Rest\n",
		JUnit: `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rpcbench" tests="3" failures="1" errors="1">
  <testsuite name="r.jsonl" tests="3" failures="1" errors="1">
    <testcase classname="r.jsonl" name="errors&lt;1%">
      <system-out>0%; grpc-go unary</system-out>
    </testcase>
    <testcase classname="r.jsonl" name="response_p99&lt;5ms">
      <failure type="not met" message="6 ms; a &#34;row&#34; &lt;b&gt;"></failure>
    </testcase>
    <testcase classname="r.jsonl" name="response_p50&lt;1ms">
      <error type="inconclusive" message=""></error>
    </testcase>
  </testsuite>
</testsuites>
`,
	} {
		var out bytes.Buffer
		if err := Write(&out, format, held, Style{}); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%s is\n%s\nwant\n%s", format, out.String(), want)
		}
	}
}
