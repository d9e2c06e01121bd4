package document_test

import (
	"strings"
	"testing"

	"rpcbench/internal/report/document"
)

// body returns the part of a page between its head and its data.
func body(t *testing.T, d document.Document, p document.Page) string {
	t.Helper()
	var out strings.Builder
	if err := document.WriteHTML(&out, d, p); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(out.String(), "<body>\n")
	text, _, found := strings.Cut(rest, `<script type="application/json"`)
	if !found {
		t.Fatal("no data")
	}
	return text
}

func TestEveryBlockIsHTML(t *testing.T) {
	t.Parallel()
	table := &document.Table{Caption: "Echo <1 kB>", Detail: "unary & closed", Notes: []string{"a note"},
		Lines: []document.Line{{Quiet: true}, {Apart: true}},
		Columns: []document.Column{
			{Head: "stack", Key: true, Cells: document.Texts("tcp (floor)", "grpc-go")},
			{Group: "CPU", Head: "client", Right: true, Cells: []document.Cell{{Text: "1"}, {Text: "2", Spread: "1–3"}}},
			{Group: "CPU", Head: "server", Right: true, Cells: document.Texts("3", "4")},
			{Head: "verdict", Cells: []document.Cell{{Text: "OK"}, {Text: "FAILED", More: []string{"twice"}, Tone: document.Alarm}}},
		}}
	d := document.Document{
		document.Heading("quick: How fast?"), document.Heading("Another"), document.Answer{"It is <fast>."},
		document.Chart{Of: "case", Number: 2, Title: "Echo", Name: `a "name"`, Answer: []string{"So & so."},
			Picture: func() []byte { return []byte("<svg/>") }},
		table, document.Facts{{Name: "Rate", Lines: []string{"1/s", "more"}, Tone: document.Warning}},
		document.Bars{Caption: "Bars", Bars: []document.Bar{{Name: "a", Figures: []string{"1"}, Length: 1},
			{Name: "b", Figures: []string{"4"}, Length: 4}}},
		document.Marks{Caption: "Marks", Values: []float64{1, 2}, Note: "each 1 s"},
		document.Notes{Title: "Notes", Lines: []string{"x < y"}, Quiet: true},
	}
	got := body(t, d, document.Page{Title: "How fast?", Kicker: "a.jsonl", About: []string{"on <a> machine"}})
	for _, want := range []string{
		"<h1>How fast?</h1>", `<p class="kicker">a.jsonl</p>`, `<p class="about">on &lt;a&gt; machine</p>`, "<h2>Another</h2>",
		`<p class="answer">It is &lt;fast&gt;.</p>`, `<section class="chart" data-of="case" data-number="2">`,
		`<p class="answer">So &amp; so.</p>`,
		`<noscript><img alt="a &#34;name&#34;" src="data:image/svg+xml;base64,PHN2Zy8+"></noscript>`,
		`<h3 id="t1">Echo &lt;1 kB&gt;</h3>`, `<p class="detail">unary &amp; closed</p>`, `<th colspan="2" scope="colgroup">CPU</th>`,
		`<tr class="quiet"><th scope="row">tcp (floor)</th><td class="right">1 <span class="spread w4"></span></td>` +
			`<td class="right">3</td><td>OK</td></tr>`,
		`<tr class="apart"><th scope="row">grpc-go</th><td class="right">2 <span class="spread w4">1–3</span></td>`,
		`<td class="alarm">FAILED twice</td>`, "<li>a note</li>",
		`<dt>Rate</dt>` + "\n" + `<dd class="warning">1/s</dd>`, "<dd>more</dd>",
		`<rect width="25.00" height="10"/>`, `<rect width="100.00" height="10"/>`,
		`<rect x="0.10" y="20.00" width="0.8" height="20.00"/>`, "<li>x &lt; y</li>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(got, "<h2>quick") {
		t.Error("a heading repeats the title")
	}
}

func TestAPageWithoutATitleKeepsItsHeadings(t *testing.T) {
	t.Parallel()
	got := body(t, document.Document{document.Notes{Title: "Notes"}, document.Heading("Latency")}, document.Page{Title: "\u202e"})
	for _, want := range []string{"<h1>Report</h1>", "<h3>Notes</h3>", "<h2>Latency</h2>"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

func TestAPageRunsAndAsksForNothingButItsOwn(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	const evil = "</script><script>alert(1)</script>"
	page := document.Page{Title: evil, Kicker: evil, About: []string{evil}, Data: map[string]string{"a": evil}}
	if err := document.WriteHTML(&out, document.Document{document.Answer{evil}}, page); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), evil) {
		t.Error("it is on the page as it was")
	}
	_, policy, _ := strings.Cut(out.String(), `http-equiv="Content-Security-Policy" content="`)
	policy, _, _ = strings.Cut(policy, `"`)
	for _, want := range []string{
		"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "base-uri 'none'", "form-action 'none'",
	} {
		if !strings.Contains(policy, want) {
			t.Errorf("%s is not in %s", want, policy)
		}
	}
	for _, unwanted := range []string{"unsafe", "http", "*"} {
		if strings.Contains(policy, unwanted) {
			t.Errorf("%s is in %s", unwanted, policy)
		}
	}
}
