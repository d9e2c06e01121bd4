package report

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

func TestPublishedFiguresStandBesideTheSameCases(t *testing.T) {
	t.Parallel()
	r := reporttest.EchoFixture(t)
	sealed := func(file, format string, r *analysis.Report, name string) {
		t.Helper()
		// The preceding columns are sealed elsewhere.
		_, after, _ := strings.Cut(string(printed(t, format, r, Options{Reference: reporttest.FindReference(t, name)})), name+": ")
		reporttest.Golden(t, file, []byte(name+": "+after))
	}
	sealed("echo-2015.txt", FormatText, r, "vanadium-2015")
	sealed("echo-2022.md", FormatMarkdown, r, "vanadium-2022")
	sealed("simple-readme.txt", FormatText, reporttest.SimpleRun(t, 3, map[string]float64{"grpc-go": 0.05}, nil), "vanadium-readme")
}

func TestAReportWithAReferenceIsNoWider(t *testing.T) {
	t.Parallel()
	simple := reporttest.SimpleRun(t, 3, map[string]float64{"grpc-go": 0.05, "connect-go": 1}, nil)
	text := printed(t, FormatText, simple, Options{Reference: reporttest.FindReference(t, "vanadium-readme")})
	for line := range strings.Lines(string(text)) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > document.WidthDefault {
			t.Errorf("%d columns wide: %s", n, line)
		}
	}
}

func TestPublishedFiguresWithoutACounterpartAreCounted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		r    *analysis.Report
		name string
		want string
	}{
		{reporttest.Quick(t), "vanadium-2015", "51 of the 52 published figures have no counterpart here."},
		{reporttest.EchoFixture(t), "vanadium-2015", "All 52 published figures have a counterpart here."},
		{reporttest.EchoFixture(t), "vanadium-2022", "94 of the 198 published figures have no counterpart here."},
		{reporttest.Echo(t, 1, func(t *result.Trial) { t.Spec.RequestBytes = 3 }), "vanadium-2015",
			"52 of the 52 published figures have no counterpart here."},
	} {
		ref := reporttest.FindReference(t, test.name)
		if notes := publishedNotes(test.r, ref); notes[0] != test.want {
			t.Errorf("%s: got %q, want %q", test.name, notes[0], test.want)
		}
		if text := string(printed(t, FormatText, test.r, Options{Reference: ref})); !strings.Contains(text, test.want) {
			t.Errorf("the report doesn't say: %s", test.want)
		}
	}
}

// TestRowsOfOneStackAreToldApart: two rows that differ in security are both the published case.
func TestRowsOfOneStackAreToldApart(t *testing.T) {
	t.Parallel()
	r := reporttest.Echo(t, 2, func(t *result.Trial) {
		if t.Repetition == 2 {
			t.Spec.Security = "mtls"
		}
	})
	tables := publishedTables(r, reporttest.FindReference(t, "vanadium-2015"))
	if len(tables) != 1 || tables[0].Height() != 2 || tables[0].Columns[2].Head != "security" {
		t.Fatalf("%+v", tables)
	}
	if a, b := tables[0].Columns[2].Cells[0].Text, tables[0].Columns[2].Cells[1].Text; a == b {
		t.Errorf("both are %s", a)
	}
}

func TestJSONHasThePublishedFigures(t *testing.T) {
	t.Parallel()
	var report struct {
		Reference struct {
			Name               string
			PublishedElsewhere bool `json:"published_elsewhere"`
			Without            int  `json:"without_counterpart"`
			Tables             []struct {
				Machine string
				Figures []struct {
					Name      string
					Published float64
					Unit      string
					Measured  []struct {
						Row         struct{ Stack string }
						N           int
						Median      float64
						ByPublished float64 `json:"by_published"`
						Verdict     string
					}
				}
			}
		}
	}
	text := printed(t, FormatJSON, reporttest.Quick(t), Options{Reference: reporttest.FindReference(t, "vanadium-2015")})
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	ref := report.Reference
	if ref.Name != "vanadium-2015" || !ref.PublishedElsewhere || ref.Without != 51 || len(ref.Tables[0].Figures) != 52 {
		t.Fatalf("%+v", ref)
	}
	figure := ref.Tables[0].Figures[3]
	if figure.Name != "Echo 1KB" || figure.Published != 836.1 || figure.Unit != "µs/call" || len(figure.Measured) != 4 {
		t.Fatalf("%+v", figure)
	}
	floor := figure.Measured[0]
	if floor.Row.Stack != "tcp" || floor.N != 3 || floor.Verdict != "OK" || floor.Median < 23 || floor.Median > 25 ||
		floor.ByPublished < floor.Median/836.2 || floor.ByPublished > floor.Median/836 {
		t.Errorf("%+v", floor)
	}
	if strings.Contains(string(printed(t, FormatJSON, reporttest.Quick(t), Options{})), `"reference"`) {
		t.Error("a report without a reference has one")
	}
}

func TestAFormatWithoutAPlaceForPublishedFiguresSaysSo(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		err := Write(io.Discard, format, reporttest.Quick(t), Options{Reference: reporttest.FindReference(t, "vanadium-2015")})
		switch format {
		case FormatText, FormatMarkdown, FormatHTML, FormatJSON:
			if err != nil {
				t.Errorf("%s: %v", format, err)
			}
		default:
			want := "--format " + format + " does not support published figures; supported formats are text, markdown, html, json"
			if err == nil || err.Error() != want {
				t.Errorf("%s: got %v", format, err)
			}
		}
	}
}
