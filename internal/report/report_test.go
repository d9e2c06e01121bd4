package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares what was printed with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func printed(t *testing.T, format string, r *analysis.Report, options Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, format, r, options); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestFormatsAreSealed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		format, file string
		options      Options
	}{
		{FormatText, "quick.txt", Options{}},
		{FormatText, "quick-color.txt", Options{Style: document.Style{Color: true}}},
		{FormatText, "quick-80.txt", Options{Style: document.Style{Width: 80}}},
		{FormatCSV, "quick.csv", Options{}},
		{FormatJSON, "quick.json", Options{}},
		{FormatMarkdown, "quick.md", Options{}},
		{FormatGoBench, "quick.bench", Options{}},
	} {
		t.Run(test.file, func(t *testing.T) {
			t.Parallel()
			golden(t, test.file, printed(t, test.format, fixture(t), test.options))
		})
	}
}

func TestNoTwoRowsShareAKey(t *testing.T) {
	t.Parallel()
	records := readCSV(t, fixture(t))
	keys := slices.Index(records[0], "verdict")
	if keys != 34 {
		t.Fatalf("%d key columns, want the 34 of the scripting contract", keys)
	}
	seen := map[string]bool{}
	for _, record := range records[1:] {
		key := strings.Join(record[:keys], "\x00")
		if seen[key] {
			t.Errorf("two rows have the key %q", record[:keys])
		}
		seen[key] = true
	}
	if len(seen) != 22 {
		t.Errorf("%d rows, want 22", len(seen))
	}
}

// TestCSVHasTheColumnsOfTheContract seals their order: new ones are appended, no other moves.
func TestCSVHasTheColumnsOfTheContract(t *testing.T) {
	t.Parallel()
	const want = "scenario,stack,server,protocol,kind,method,requests,request_sizes,message,codec,request_bytes,response_bytes," +
		"messages,message_rate_per_sec,batch,connections,in_flight,streams,servers,clients,load,offered_per_sec," +
		"schedule,security,network,compression,payload,link,deadline_ns,background,client_cpus,server_cpus,options,jvm_options," +
		"verdict,verdict_reason," +
		"trials,spread,calls,errors,errors_by_code,floor_ratio,calls_per_sec,calls_per_sec_lo,calls_per_sec_hi," +
		"messages_per_sec,payload_mb_per_sec,operations_per_sec,operations_per_sec_lo,operations_per_sec_hi,response_p50_ns," +
		"response_p50_ns_lo,response_p50_ns_hi,response_p90_ns,response_p95_ns,response_p99_ns,response_p99_ns_lo," +
		"response_p99_ns_hi,response_p999_ns,response_max_ns,error_p50_ns,response_p50_ns_per_operation,ns_per_operation," +
		"ns_per_operation_lo,ns_per_operation_hi,operation_mb_per_sec,encoded_bytes,gzipped_bytes,service_p50_ns," +
		"service_p99_ns,queue_p99_ns,wake_p99_ns,first_reply_p50_ns,first_reply_p99_ns,reply_gap_p50_ns,reply_gap_p99_ns," +
		"message_p50_ns,message_p99_ns,message_lag_p99_ns,unpaired_replies,wire_bytes_out_per_call,wire_bytes_in_per_call," +
		"wire_bytes_out_per_operation,wire_bytes_in_per_operation,wire_counted_at,sockets,client_cpu_ns_per_call," +
		"client_cpu_ns_per_call_lo,client_cpu_ns_per_call_hi,server_cpu_ns_per_call,server_cpu_ns_per_call_lo," +
		"server_cpu_ns_per_call_hi,client_pacer_cpu_ns_per_call,client_switches_per_call,server_switches_per_call," +
		"energy_joules_per_call,client_heap_bytes,server_heap_bytes,allocations_per_operation,client_gc_cycles," +
		"server_gc_cycles,client_gc_pause_ns,server_gc_pause_ns,warmup_ns,relay_late_p99_ns,relay_cpu_ns_per_sec," +
		"link_up_used_ratio,link_down_used_ratio,hiccup_p99_ns,hiccup_max_ns,host_steal_ratio,host_other_ratio"
	got, sealed := readCSV(t, fixture(t))[0], strings.Split(want, ",")
	if diff := cmp.Diff(sealed, got[:len(sealed)]); diff != "" {
		t.Error(diff)
	}
	for _, column := range point.Appended() {
		if !slices.Contains(got[len(sealed):], column.Name) {
			t.Errorf("no column %s behind the sealed ones", column.Name)
		}
	}
}

func TestCSVLeavesEmptyWhatIsAbsent(t *testing.T) {
	t.Parallel()
	records := readCSV(t, fixture(t))
	column := func(name string) int { return slices.Index(records[0], name) }
	for _, record := range records[1:] {
		closed := record[column("load")] == "closed"
		for _, name := range []string{"service_p50_ns", "service_p99_ns", "wake_p99_ns", "queue_p99_ns", "offered_per_sec"} {
			if empty := record[column(name)] == ""; empty != closed {
				t.Errorf("%s of a %s load is %q", name, record[column("load")], record[column(name)])
			}
		}
		failed := record[column("verdict")] == "FAILED"
		for _, name := range []string{"calls_per_sec", "response_p50_ns", "client_cpu_ns_per_call_hi", "floor_ratio", "spread"} {
			if empty := record[column(name)] == ""; empty != failed {
				t.Errorf("%s of a row that is %s is %q", name, record[column("verdict")], record[column(name)])
			}
		}
		for i, value := range record {
			if value == "NaN" || strings.Contains(value, "Inf") || strings.Contains(value, "e+") {
				t.Errorf("%s is %q", records[0][i], value)
			}
		}
	}
}

func TestJSONHasTheColumnsOfCSV(t *testing.T) {
	t.Parallel()
	r := fixture(t)
	var report struct {
		Sources []struct {
			Seed  uint64
			Hosts []struct{ Processors int }
		}
		Rows []map[string]json.RawMessage
	}
	if err := json.Unmarshal(printed(t, FormatJSON, r, Options{}), &report); err != nil {
		t.Fatal(err)
	}
	if report.Sources[0].Seed != 1 || report.Sources[0].Hosts[0].Processors != 2 {
		t.Errorf("sources %+v", report.Sources)
	}
	records := readCSV(t, r)
	for i, record := range records[1:] {
		for j, name := range records[0] {
			value := strings.Trim(string(report.Rows[i][name]), `"`)
			if value == "null" {
				value = ""
			}
			if value != record[j] {
				t.Errorf("row %d: %s is %q in JSON and %q in CSV", i, name, value, record[j])
			}
		}
		var trials []json.RawMessage
		if err := json.Unmarshal(report.Rows[i]["per_trial"], &trials); err != nil || len(trials) != 3 {
			t.Errorf("row %d: %d trials beside it, want 3 (%v)", i, len(trials), err)
		}
	}
}

func readCSV(t *testing.T, r *analysis.Report) [][]string {
	t.Helper()
	text := printed(t, FormatCSV, r, Options{})
	if bytes.Contains(text, []byte("\r")) {
		t.Error("a line ends with a carriage return")
	}
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll() // refuses records of different lengths
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// TestGoBenchFollowsTheFormat checks the lines by golang.org/design/14313-benchmark-format: configuration, a unit's
// metadata, or a name, a count and pairs of value and unit; other lines are passed over by readers.
func TestGoBenchFollowsTheFormat(t *testing.T) {
	t.Parallel()
	config := regexp.MustCompile(`^[a-z][^\sA-Z]*: \S.*$`)
	unit := regexp.MustCompile(`^Unit \S+ better=higher$`)
	name := regexp.MustCompile(`^Benchmark[A-Z][^\s/]*(/[a-z_]+=[^\s/]+)+-2$`)
	lines := map[string]int{}
	for line := range strings.Lines(string(printed(t, FormatGoBench, fixture(t), Options{}))) {
		line = strings.TrimSuffix(line, "\n")
		fields := strings.Fields(line)
		switch {
		case config.MatchString(line), unit.MatchString(line), strings.HasPrefix(line, "--- FAIL: Benchmark"),
			strings.HasPrefix(line, "# Benchmark"):
			continue
		case !name.MatchString(fields[0]) || len(fields) < 4 || len(fields)%2 != 0:
			t.Errorf("no benchmark line: %s", line)
			continue
		}
		lines[fields[0]]++
		if n, err := strconv.Atoi(fields[1]); err != nil || n <= 0 {
			t.Errorf("%q iterations", fields[1])
		}
		units := map[string]bool{}
		for i := 2; i < len(fields); i += 2 {
			if _, err := strconv.ParseFloat(fields[i], 64); err != nil || units[fields[i+1]] {
				t.Errorf("the pair %q %q is bad or there twice in %s", fields[i], fields[i+1], line)
			}
			units[fields[i+1]] = true
		}
		if !units["ns/op"] || !units["p50-ns"] || !units["client-cpu-ns/op"] || !units["wire-out-B/op"] {
			t.Errorf("a unit is missing in %s", line)
		}
	}
	trials := 0
	for _, n := range lines {
		trials += n
	}
	// 22 rows of 3 trials; one row failed altogether and another one once.
	if len(lines) != 21 || trials != 62 {
		t.Errorf("%d names and %d lines, want 21 and 62", len(lines), trials)
	}
}

func TestGoBenchReckonsElapsedTimeByCall(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatGoBench, fixture(t), Options{}))
	// 100 first calls in 500 ms; the floor's median of 151 µs is 3% less in the first repetition.
	want := "BenchmarkQuick/stack=tcp/kind=first_call/request_bytes=0/response_bytes=0/connections=1/in_flight=1-2" +
		"\t100\t5000000.0 ns/op\t59.17 allocs/op\t146559 p50-ns"
	if !strings.Contains(text, want) {
		t.Errorf("no line begins with %s", want)
	}
}

func TestHgrmIsOneFilePerRowAndHistogram(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "hgrm")
	names, err := WriteDir(dir, fixture(t))
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
	golden(t, "quick.hgrm", firstCalls(t, dir))
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

// TestHgrmIsReadByThePlotter does what HdrHistogram's plotter does: it takes each line of four fields that is no comment
// and begins with a number as value, percentile, count and 1/(1−percentile).
func TestHgrmIsReadByThePlotter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := WriteDir(dir, fixture(t)); err != nil {
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

func TestHgrmNeedsADirectory(t *testing.T) {
	t.Parallel()
	if err := Write(io.Discard, FormatHgrm, fixture(t), Options{}); err == nil ||
		err.Error() != "--format hgrm writes a directory of files and needs --output DIRECTORY" {
		t.Errorf("got %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteDir(file, fixture(t)); err == nil {
		t.Error("a directory was made in the place of a file")
	}
}

func TestAnUnknownFormatIsNamed(t *testing.T) {
	t.Parallel()
	err := Write(io.Discard, "xml", fixture(t), Options{})
	want := `unknown format "xml": formats are text, csv, json, markdown, go-bench, hgrm, histogram, vanadium, simple, ` +
		"qps, hlog, svg"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A fullDisk takes so many bytes and no more.
type fullDisk int

func (f *fullDisk) Write(p []byte) (int, error) {
	if len(p) > int(*f) {
		return 0, errors.New("disk full")
	}
	*f -= fullDisk(len(p))
	return len(p), nil
}

func TestAFailedWriteIsAnErrorInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		r := fixture(t)
		switch format {
		case FormatHgrm, FormatSVG:
			continue
		case FormatSimple:
			r = simpleRun(t, 3, map[string]float64{"tcp": 1, "grpc-go": 1, "connect-go": 1, "http-json-go": 1}, nil)
		}
		disk := fullDisk(1000)
		if err := Write(&disk, format, r, Options{}); err == nil || err.Error() != "disk full" {
			t.Errorf("%s: got %v", format, err)
		}
	}
}
