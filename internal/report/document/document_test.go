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
			{Head: "stack"}, {Group: "call µs", Head: "p50", Right: true}, {Group: "call µs", Head: "p99", Right: true, Drop: 1},
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

func TestATableThatIsTooWideNamesWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	got := text(t, sample(), document.Style{Width: 40})
	if !strings.Contains(got, "grpc-go       110 100–120   NOISY_HOST\n") ||
		!strings.Contains(got, "  Too wide for 40 columns, omitted:\n    call µs. See --format csv for all\n    columns.\n") {
		t.Errorf("got\n%s", got)
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
	if err := document.WriteCSV(&out, slices.Values(records)); err != nil {
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
	const want = "--format xml does not support answers; supported formats are text, markdown, csv, json"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
