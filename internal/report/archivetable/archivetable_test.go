package archivetable

import (
	"io"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
)

func TestWhatWasNotServedHasNoTime(t *testing.T) {
	t.Parallel()
	found := Found{
		archive.Series{Metric: string(analysis.ResponseP99Ns)},
		archive.Change{Before: 2e6, After: analysis.NotServed},
	}
	if before, after, change := found.Text(found.Before), found.Text(found.After), found.Percent(); before != "2.00 ms" ||
		after != "∞" || change != "" {
		t.Errorf("from %s to %s by %q", before, after, change)
	}
	if got := TextOf(string(analysis.CallsPerSec), analysis.NotServed); got != "3,600,000,000,000" {
		t.Errorf("a rate is %s", got)
	}
}

func TestTheListNamesTheZoneOfItsTimes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 0, 30, 0, 0, time.FixedZone("", 3600))
	var text strings.Builder
	if err := WriteEntries(&text, document.Text, []archive.Entry{{Name: "a.jsonl", Created: at}}, document.Style{}); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); !strings.Contains(got, "measured (UTC)") || !strings.Contains(got, "2026-11-27 23:30 ") {
		t.Errorf("got\n%s", got)
	}
}

func TestCSVOfNothingHasItsHeader(t *testing.T) {
	t.Parallel()
	entries := func(w io.Writer) error { return WriteEntries(w, document.CSV, nil, document.Style{}) }
	changes := func(w io.Writer) error { return WriteChanges(w, document.CSV, nil, document.Style{}) }
	for want, write := range map[string]func(io.Writer) error{
		"commit,branch,created,scenarios,host_class,host,cpu,processors,os,labels,uploader,trials,failed,file,unread,calls\n": entries,
		"commit,branch,machine,point,metric,before,after,p,result\n":                                                          changes,
	} {
		var text strings.Builder
		if err := write(&text); err != nil || text.String() != want {
			t.Errorf("got %q and %v, want %q", text.String(), err, want)
		}
	}
}
