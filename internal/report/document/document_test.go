package document_test

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/report/document"
)

// sample has a block of each kind.
func sample() document.Document {
	t := &document.Table{
		Caption: "Calls", Detail: "closed", Notes: []string{"A note."},
		Columns: []document.Column{
			{Head: "stack"}, {Group: "call µs", Head: "p50", Right: true}, {Group: "call µs", Head: "p99", Right: true},
			{Head: "verdict"},
		},
		Lines: []document.Line{{Quiet: true}, {Apart: true}},
	}
	t.Append(append(document.Texts("tcp", "9", "12"), document.Cell{})...)
	t.Append(document.Cell{Text: "grpc-go", More: []string{"client only"}}, document.Cell{Text: "110", Spread: "100–120"},
		document.Cell{Text: "1,300"}, document.Cell{Text: "NOISY_HOST", Tone: document.Warning})
	return document.Document{
		document.Heading("quick: How fast?"), t, document.Answer{"A is as fast as B."},
		document.Notes{Lines: []string{"How to read it."}, Quiet: true},
		document.Notes{Title: "Caveats", Lines: []string{"One trial."}},
	}
}

func text(t *testing.T, d document.Document, style document.Style) string {
	t.Helper()
	var out strings.Builder
	if err := document.WriteText(&out, d, style); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func markdown(t *testing.T, d document.Document) string {
	t.Helper()
	var out strings.Builder
	if err := document.WriteMarkdown(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextHasColumnsApartAndNoSpacesAtTheEndsOfLines(t *testing.T) {
	t.Parallel()
	const want = `quick: How fast?

Calls
closed
stack         call µs              verdict
              p50            p99
tcp             9             12

grpc-go       110 100–120  1,300   NOISY_HOST
client only
  A note.

A is as fast as B.

How to read it.

Caveats
  One trial.
`
	if got := text(t, sample(), document.Style{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestColourMarksWhatStandsOutAndWhatDoesNot(t *testing.T) {
	t.Parallel()
	got := text(t, sample(), document.Style{Color: true})
	for _, want := range []string{"\x1b[1mCalls\x1b[0m\n", "\x1b[33mNOISY_HOST\x1b[0m\n",
		"\x1b[2mtcp             9             12\x1b[0m\n",
		"\x1b[2mHow to read it.\x1b[0m\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
}

func TestATableThatIsTooWideContinuesBelow(t *testing.T) {
	t.Parallel()
	table := &document.Table{Columns: []document.Column{
		{Head: "stack", Key: true}, {Group: "call µs", Head: "p50", Right: true}, {Group: "call µs", Head: "p99", Right: true},
		{Head: "bytes", Right: true}, {Head: "verdict", First: true},
	}}
	table.Append(document.Texts("grpc-go", "110,000", "1,300,000", "1,087", "CLIENT_BOUND")...)
	for width, want := range map[int]string{
		50: `stack    call µs             bytes  verdict
             p50        p99
grpc-go  110,000  1,300,000  1,087  CLIENT_BOUND
`,
		45: `stack    call µs             verdict
             p50        p99
grpc-go  110,000  1,300,000  CLIENT_BOUND

stack    bytes
grpc-go  1,087
`,
		40: `stack    call µs             bytes
             p50        p99
grpc-go  110,000  1,300,000  1,087

stack    verdict
grpc-go  CLIENT_BOUND
`,
	} {
		if got := text(t, document.Document{table}, document.Style{Width: width}); got != want {
			t.Errorf("at %d columns: got\n%s\nwant\n%s", width, got, want)
		}
	}
}

func TestWordsOfACellAreWrappedWhereNothingElseHelps(t *testing.T) {
	t.Parallel()
	table := &document.Table{Columns: []document.Column{{Head: "flag"}, {Head: "what it does"}, {Head: "n", Right: true}}}
	table.Append(document.Texts("--rate", "calls per second, whether or not earlier ones have ended", "7")...)
	want := `flag    what it does
--rate  calls per second, whether or not
        earlier ones have ended

flag    n
--rate  7
`
	if got := text(t, document.Document{table}, document.Style{Width: 42}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// page has one thing's figures in all forms.
func page() document.Document {
	return document.Document{
		document.Facts{
			{Name: "Calls", Lines: []string{"6,000: OK 5,990 (99.83%), UNAVAILABLE 10 (0.17%)", "UNAVAILABLE: *gone*"}},
			{Name: "Rate", Lines: []string{"2,000/s"}, Tone: document.Alarm},
		},
		document.Bars{Caption: "Response times", Bars: []document.Bar{
			{Name: "1 – 2 ms", Figures: []string{"1,000"}, Length: 1000}, {Name: "2 – 4 ms", Figures: []string{"1"}, Length: 1},
			{Name: "4 – 8 ms", Figures: []string{"0"}}, {Name: "8 – 16 ms", Figures: []string{"500"}, Length: 500},
		}},
		document.Marks{Caption: "Calls over time", Values: []float64{0, 1, 25, 50, 100}, Note: "each mark 1 s"},
	}
}

func TestANumberAndItsUnitStayInOneLine(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"ms", "kB", "calls/s", "µs"} {
		line := "At the rate that was asked for the p99 was 12.5 " + unit + ", in 3 trials"
		for width := 40; width < 70; width++ {
			got := text(t, document.Document{document.Notes{Lines: []string{line}}}, document.Style{Width: width})
			if !strings.Contains(got, "12.5 "+unit) || strings.Join(strings.Fields(got), " ") != line {
				t.Errorf("%d characters wide:\n%s", width, got)
			}
		}
	}
}

func TestAPageFitsItsWidth(t *testing.T) {
	t.Parallel()
	want := `Calls  6,000: OK 5,990 (99.83%),
         UNAVAILABLE 10 (0.17%)
       UNAVAILABLE: *gone*
Rate   2,000/s

Response times
   1 – 2 ms  1,000  ■■■■■■■■■■■■■■■■■■■■■
   2 – 4 ms      1  ■
   4 – 8 ms      0
  8 – 16 ms    500  ■■■■■■■■■■■

Calls over time
  .▁▂▄█
  each mark 1 s
`
	if got := text(t, page(), document.Style{Width: 41}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := text(t, page(), document.Style{Color: true}); !strings.Contains(got, "\x1b[1mRate\x1b[0m   \x1b[31m2,000/s\x1b[0m\n") {
		t.Errorf("in colour: %q", got)
	}
}

func TestManyMarksShareALine(t *testing.T) {
	t.Parallel()
	values := make([]float64, 1000)
	for i := range values {
		values[i] = float64(i / 500) // half of nothing, half of ones
	}
	got := text(t, document.Document{document.Marks{Caption: "c", Values: values}}, document.Style{Width: 42})
	if want := "c\n  " + strings.Repeat(".", 20) + strings.Repeat("█", 20) + "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAPageInMarkdown(t *testing.T) {
	t.Parallel()
	want := `- **Calls**: 6,000: OK 5,990 (99.83%), UNAVAILABLE 10 (0.17%)<br>
  UNAVAILABLE: \*gone\*
- **Rate**: 2,000/s

**Response times**

|  |  |  |
| ---:| ---:|:--- |
| 1 – 2 ms | 1,000 | ■■■■■■■■■■■■■■■■■■■■■■■■■■■■■■ |
| 2 – 4 ms | 1 | ■ |
| 4 – 8 ms | 0 |  |
| 8 – 16 ms | 500 | ■■■■■■■■■■■■■■■ |

**Calls over time**<br>
` + "`.▁▂▄█`" + `<br>
each mark 1 s
`
	if got := markdown(t, page()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarkdownHasTheSameBlocks(t *testing.T) {
	t.Parallel()
	const want = `### quick: How fast?

**Calls**<br>
closed

| stack | call µs p50 | call µs p99 | verdict |
|:--- | ---:| ---:|:--- |
| tcp | 9 | 12 |  |
| grpc-go client only | 110 (100–120) | 1,300 | NOISY\_HOST |

- A note.

A is as fast as B.

- How to read it.

**Caveats**

- One trial.
`
	if got := markdown(t, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Each of these means something to Markdown, HTML or GitHub.
func TestMarkdownTakesTheMeaningFromSigns(t *testing.T) {
	t.Parallel()
	for foreign, want := range map[string]string{
		"a|b <i>*x*_y_`z`[l](u)\\": "- a|b &lt;i&gt;\\*x\\*\\_y\\_\\`z\\`\\[l](u)\\\\\n",
		"@someone #1 a@b.example":  "- @&#8203;someone #&#8203;1 a@&#8203;b.example\n",
		"CPU @ 3 GHz":              "- CPU @ 3 GHz\n",
		"https://x www.x.example":  "- https\\://x www\\.x.example\n",
		"# head":                   "- \\# head\n",
		"- item":                   "- \\- item\n",
		"&lt; $x$":                 "- &amp;lt; \\$x\\$\n",
		"~~gone~~":                 "- \\~\\~gone\\~\\~\n",
		"two\n\nlines\x1b[1m":      "- two lines \\[1m\n",
	} {
		if got := markdown(t, document.Document{document.Notes{Lines: []string{foreign}}}); got != want {
			t.Errorf("%q is %q, want %q", foreign, got, want)
		}
	}
	cell := &document.Table{Columns: []document.Column{{Head: "h", Cells: document.Texts("a|b")}}}
	if got := markdown(t, document.Document{cell}); !strings.Contains(got, `| a\|b |`) {
		t.Errorf("a bar in a cell: %s", got)
	}
}

func TestCellsAreCut(t *testing.T) {
	t.Parallel()
	long := &document.Table{Columns: []document.Column{{Head: "h", Cells: document.Texts(strings.Repeat("x", 5000))}}}
	if got, want := text(t, document.Document{long}, document.Style{}), "h\n"+strings.Repeat("x", 200)+"…\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestASpreadsheetTakesNoTextForAFormula(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	records := []document.Object{
		{{Name: "a", Value: "=1+1"}, {Name: "b", Value: int64(-5)}, {Name: "c", Value: "two\nlines\x1b[1m"}},
		{{Name: "a", Value: "@SUM(A1)"}, {Name: "b", Value: nil}, {Name: "c", Value: "-Xmx1g, +x"}},
	}
	if err := document.WriteCSV(&out, nil, slices.Values(records)); err != nil {
		t.Fatal(err)
	}
	if want := "a,b,c\n'=1+1,-5,two lines [1m\n'@SUM(A1),,\"'-Xmx1g, +x\"\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestJSONKeepsTheOrderOfFieldsAndHidesNothing(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	value := document.Object{{Name: "z", Value: "a\u202eb"}, {Name: "a", Value: 1}}
	if err := document.WriteJSON(&out, value); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"z\": \"a\\u202eb\",\n  \"a\": 1\n}\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestAnUnknownFormatIsAnError(t *testing.T) {
	t.Parallel()
	err := document.Write(&strings.Builder{}, "xml", document.Source{Of: "answers"}, document.Style{})
	const want = "--format xml does not support answers; supported formats are text, markdown, csv, json, html"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// One long name was broken into a dozen lines beside another that kept its one.
func TestLongNamesShareALine(t *testing.T) {
	t.Parallel()
	table := &document.Table{Columns: []document.Column{
		{Head: "stack", Key: true, Cells: document.Texts(strings.Repeat("s", 160))},
		{Head: "label", Key: true, Cells: document.Texts(strings.Repeat("l", 100))},
		{Head: "p50", Right: true, Cells: document.Texts("1.00")}}}
	var out strings.Builder
	if err := document.WriteText(&out, document.Document{table}, document.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines > 7 || strings.Contains(out.String(), "s s") {
		t.Errorf("%d lines:\n%s", lines, out.String())
	}
}
