package jmhtable

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/jmh"
)

func jmhFiles(t *testing.T, names ...string) []*jmh.File {
	t.Helper()
	var files []*jmh.File
	for _, name := range names {
		file, err := jmh.ReadFile(filepath.Join("..", "..", "results", "jmh", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		file.Name = name
		files = append(files, file)
	}
	return files
}

func printedJMH(t *testing.T, format string, names ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, format, jmhFiles(t, names...), nil, document.Style{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestResultsOfJMHAreSealed(t *testing.T) {
	t.Parallel()
	reporttest.Golden(t, "jmh.txt", printedJMH(t, document.Text, "before.json"))
	reporttest.Golden(t, "jmh-two.txt", printedJMH(t, document.Text, "before.json", "after.json"))
	reporttest.Golden(t, "jmh-two.md", printedJMH(t, document.Markdown, "before.json", "after.json"))
	reporttest.Golden(t, "jmh.csv", printedJMH(t, document.CSV, "before.json", "after.json"))
	reporttest.Golden(t, "jmh.json", printedJMH(t, document.JSON, "before.json"))
}

func TestJMHsTableIsNoWiderThanATerminal(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(string(printedJMH(t, document.Text, "before.json", "after.json"))) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > document.WidthDefault {
			t.Errorf("%d columns wide: %s", n, line)
		}
	}
}

func TestOverlappingIntervalsOfJMHAreNoDifference(t *testing.T) {
	t.Parallel()
	line := func(score, spread float64) jmhLine {
		return jmhLine{score: jmh.Number(score), spread: jmh.Number(spread)}
	}
	for _, test := range []struct {
		a, b  jmhLine
		known bool
		want  string
	}{
		{line(100, 5), line(50, 4), true, "0.500"}, {line(100, 5), line(109, 4), true, "~"},
		{line(100, 5), line(109.1, 4), true, "1.09"}, {line(0, 1), line(5, 1), true, cell.Absent},
		{line(100, 5), line(50, 4), false, cell.Absent},
	} {
		if got := scoreRatio(test.a, test.b, test.known); got != test.want {
			t.Errorf("%+v and %+v: %s, want %s", test.a, test.b, got, test.want)
		}
	}
}

func TestEveryMetricOfJMHIsARecord(t *testing.T) {
	t.Parallel()
	records, err := csv.NewReader(bytes.NewReader(printedJMH(t, document.CSV, "before.json"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 1+3+2+1 { // a header, three primary metrics, two of gc, one counter
		t.Errorf("%d records", len(records))
	}
	keys := map[string]bool{}
	for _, record := range records {
		keys[strings.Join(record[:6], "\x00")] = true
	}
	if len(keys) != len(records) {
		t.Error("two records share their key columns")
	}
	var report struct{ Rows []map[string]any }
	if err := json.Unmarshal(printedJMH(t, document.JSON, "before.json"), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Rows) != 6 || report.Rows[0]["p50"] != 94.0 || report.Rows[0]["samples"] != 1010.0 ||
		report.Rows[1]["p50"] != nil {
		t.Errorf("%+v", report.Rows)
	}
}

func TestWhatCanNotBePrintedOfJMHIsSaid(t *testing.T) {
	t.Parallel()
	one := jmhFiles(t, "before.json")
	for want, err := range map[string]error{
		"3 JMH results files: give one to print it, or two to compare them": Write(&bytes.Buffer{}, document.Text,
			[]*jmh.File{one[0], one[0], one[0]}, nil, document.Style{}),
		"--format qps does not support JMH results files; supported formats are text, markdown, csv, json, html": Write(
			&bytes.Buffer{}, "qps", one, nil, document.Style{}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, format := range document.Formats() {
		disk := reporttest.FullDisk(100)
		if err := Write(&disk, format, one, nil, document.Style{}); err == nil || err.Error() != "disk full" {
			t.Errorf("%s: got %v", format, err)
		}
	}
}
