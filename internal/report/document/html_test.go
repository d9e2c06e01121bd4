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
		`<h3 class="part" id="t1">Echo &lt;<span class="figure">1 kB</span>&gt;</h3>`, `<p class="detail">unary &amp; closed</p>`,
		`<tr class="groups"><td colspan="1"></td><th colspan="2" scope="colgroup"><span>CPU</span></th><td colspan="1"></td></tr>`,
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

// A heading that says the same twice is one too many, also for those who jump from heading to heading.
func TestATableDoesNotRepeatTheTitleOfItsChart(t *testing.T) {
	t.Parallel()
	table := func(caption string) *document.Table {
		return &document.Table{Caption: caption, Columns: []document.Column{{Head: "stack", Cells: document.Texts("tcp")}}}
	}
	got := body(t, document.Document{document.Chart{Of: "case", Title: "Echo"}, table("Echo, closed · median of 3 trials"),
		table("Echo, again")}, document.Page{Title: "How fast?"})
	for _, want := range []string{`<h2 class="part">Echo</h2>`, `<p class="detail">closed · median of 3 trials</p>`,
		`<table aria-label="Echo, closed · median of 3 trials">`, `<h2 class="part" id="t2">Echo, again</h2>`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

func TestFiguresAreNotBrokenAndForeignWordsStayInTheirPlaces(t *testing.T) {
	t.Parallel()
	got := body(t, document.Document{
		document.Answer{"grpc-go has 95.1 µs (92.2–97.9), 4.30× (4.05–4.57) the floor at 2,000 calls/s."},
		document.Answer{"host שלום עולם, 2 processors"},
	}, document.Page{Title: "How fast?"})
	for _, want := range []string{
		`has <span class="figure">95.1 µs</span> (<span class="figure">92.2–97.9)</span>, ` +
			`4.30× (<span class="figure">4.05–4.57)</span> the floor at <span class="figure">2,000 calls/s</span>.`,
		"host <bdi>שלום עולם</bdi>, 2 processors",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

func TestOnlyLongCellsHaveSeveralLines(t *testing.T) {
	t.Parallel()
	got := body(t, document.Document{&document.Table{Columns: []document.Column{
		{Head: "stack", Cells: document.Texts(strings.Repeat("a", 40), strings.Repeat("b", 41))}}}}, document.Page{Title: "How fast?"})
	for _, want := range []string{`<th scope="row">aaa`, `<th scope="row" class="long">bbb`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

// The head of a column is above its figures, not above what is next to them.
func TestTheHeadOfAColumnHasRoomForSpreadsToo(t *testing.T) {
	t.Parallel()
	got := body(t, document.Document{&document.Table{Columns: []document.Column{
		{Head: "p50", Right: true, Cells: []document.Cell{{Text: "2", Spread: "1–3"}}}}}}, document.Page{Title: "How fast?"})
	if want := `<th scope="col" class="right">p50 <span class="spread w4"></span></th>`; !strings.Contains(got, want) {
		t.Errorf("%s is missing in %s", want, got)
	}
}

// A page may show the first columns of a table alone: the verdict is among them, next to the figure that it is on.
func TestFirstColumnsAreNextToTheHeadline(t *testing.T) {
	t.Parallel()
	column := func(group, head string) document.Column {
		return document.Column{Group: group, Head: head, Cells: document.Texts("of " + head)}
	}
	columns := []document.Column{column("", "stack"), column("response", "p50"), column("response", "p99"), column("", "CPU"),
		column("", "verdict"), column("", "")}
	columns[4].First = true
	heads := func() string {
		got := body(t, document.Document{&document.Table{Columns: columns}}, document.Page{Title: "How fast?"})
		_, got, _ = strings.Cut(got, "<thead>\n")
		got, _, _ = strings.Cut(got, "</tbody>")
		return got
	}
	const end = "<td></td></tr>\n</thead>\n<tbody>\n" + `<tr><th scope="row">of stack</th><td>of p50</td><td>of p99</td>`
	if got, want := heads(), `<th scope="col">CPU</th><th scope="col">verdict</th>`+end; !strings.Contains(got, want) {
		t.Errorf("%s is missing in %s", want, got)
	}
	columns[1].Headline = true
	if got, want := heads(), `<th scope="col">p99</th><th scope="col">verdict</th><th scope="col">CPU</th>`+end+
		`<td>of verdict</td><td>of CPU</td>`; !strings.Contains(got, want) {
		t.Errorf("%s is missing in %s", want, got)
	}
}

func TestAPageWithoutATitleKeepsItsHeadings(t *testing.T) {
	t.Parallel()
	got := body(t, document.Document{document.Notes{Title: "Notes"}, document.Heading("Latency")}, document.Page{Title: "\u202e"})
	for _, want := range []string{"<h1>Report</h1>", `<h2 class="part">Notes</h2>`, "<h2>Latency</h2>"} {
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
