package formats

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
)

func TestHgrmIsOneFilePerRowAndHistogram(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "hgrm")
	names, err := WriteHgrmFolder(dir, reporttest.Quick(t))
	if err != nil {
		t.Fatal(err)
	}
	// 22 rows, of which one has no histogram and four are of an open load, with a second one.
	if len(names) != 25 {
		t.Errorf("%d files, want 25", len(names))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(names) {
		t.Errorf("%d files for %d names: two names are the same", len(entries), len(names))
	}
	portable := regexp.MustCompile(`^[A-Za-z0-9._=,;+-]{1,255}$`)
	for _, name := range names {
		if !portable.MatchString(name) {
			t.Errorf("%q is no name for every file system", name)
		}
	}
	reporttest.Golden(t, "quick.hgrm", firstCalls(t, dir))
}

func TestHgrmOfNoCallThatWasOKIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	names, err := WriteHgrmFolder(dir, reporttest.OpenLoads(t, reporttest.Fail))
	if err == nil || err.Error() != "no call was OK, so there is no latency histogram" || len(names) > 0 {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
}

// firstCalls reads the file of the floor's first calls.
func firstCalls(t *testing.T, dir string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir,
		"quick_stack=tcp_kind=first_call_request_bytes=0_response_bytes=0_connections=1_in_flight=1_response_us.hgrm"))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestHgrmIsReadByThePlotter does what HdrHistogram's plotter does: it takes each line of four fields that is not a comment and
// starts with a number as value, percentile, count and 1/(1−percentile).
func TestHgrmIsReadByThePlotter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := WriteHgrmFolder(dir, reporttest.Quick(t)); err != nil {
		t.Fatal(err)
	}
	points, value, percentile, calls := 0, 0.0, 0.0, 0
	for line := range strings.Lines(string(firstCalls(t, dir))) {
		fields := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(fields) != 4 || fields[0] == "Value" {
			continue
		}
		v, errV := strconv.ParseFloat(fields[0], 64)
		p, errP := strconv.ParseFloat(fields[1], 64)
		n, errN := strconv.Atoi(fields[2])
		if errV != nil || errP != nil || errN != nil || v < value || p < percentile || n < calls {
			t.Errorf("bad line, or smaller than the one before: %s", line)
		}
		points, value, percentile, calls = points+1, v, p, n
	}
	// Three trials of 1,000 calls; ten times the median of the slowest, in microseconds.
	if points < 20 || percentile != 1 || calls != 3000 || value != 1555.455 {
		t.Errorf("%d points up to %v µs at %v with %d calls", points, value, percentile, calls)
	}
}

func TestNamesOfFilesAreUniqueWhateverTheKeyHolds(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	long := func(end string) plan.Spec {
		return plan.Spec{Stack: "a", Options: map[string]string{"x": strings.Repeat("y", 299) + end}}
	}
	for _, test := range []struct {
		scenario string
		spec     plan.Spec
	}{
		{"quick", plan.Spec{Stack: "a"}}, {"quick [b/c.jsonl]", plan.Spec{Stack: "a"}}, {"quick [b_c.jsonl]", plan.Spec{Stack: "a"}},
		{"../../etc", plan.Spec{Stack: "a"}}, {"", plan.Spec{Stack: "a"}}, {"quick", long("y")}, {"quick", long("z")},
		{"größe", plan.Spec{Stack: "a"}}, {"grüße", plan.Spec{Stack: "a"}},
	} {
		of := fmt.Sprintf("%s, %v", test.scenario, test.spec)
		name := hgrmName(&analysis.Row{Key: analysis.KeyOf(test.scenario, test.spec), Spec: test.spec}, "response")
		if other, ok := seen[name]; ok {
			t.Errorf("%s and %s are both called %s", of, other, name)
		}
		if len(name) > 255 || name != filepath.Base(name) || name[0] == '/' {
			t.Errorf("%q is no name of a file", name)
		}
		seen[name] = of
	}
}
