package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/formats"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
)

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
		{formats.GoBench, "quick.bench", Options{}},
	} {
		t.Run(test.file, func(t *testing.T) {
			t.Parallel()
			reporttest.Golden(t, test.file, printed(t, test.format, reporttest.Quick(t), test.options))
		})
	}
}

func TestNoTwoRowsShareAKey(t *testing.T) {
	t.Parallel()
	records := readCSV(t, reporttest.Quick(t))
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
		"ramp,security,network,compression,payload,link,deadline_ns,background,client_cpus,server_cpus,options,jvm_options," +
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
	got, sealed := readCSV(t, reporttest.Quick(t))[0], strings.Split(want, ",")
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
	records := readCSV(t, reporttest.Quick(t))
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
	r := reporttest.Quick(t)
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

func TestAnUnknownFormatIsNamed(t *testing.T) {
	t.Parallel()
	err := Write(io.Discard, "xml", reporttest.Quick(t), Options{})
	want := `unknown format "xml": formats are text, csv, json, markdown, html, junit, go-bench, hgrm, histogram, vanadium, ` +
		"simple, qps, hlog, scenario-result, svg"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestAFailedWriteIsAnErrorInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		r := reporttest.Quick(t)
		switch format {
		case formats.Hgrm, FormatSVG:
			continue
		case formats.Simple:
			r = reporttest.SimpleRun(t, 3, map[string]float64{"tcp": 1, "grpc-go": 1, "connect-go": 1, "http-json-go": 1}, nil)
		}
		disk := reporttest.FullDisk(1000)
		held := document.Checks{List: slices.Repeat([]document.Check{{Name: "errors==0"}}, 100)} // all that JUnit has
		if err := Write(&disk, format, r, Options{Checks: held}); err == nil || err.Error() != "disk full" {
			t.Errorf("%s: got %v", format, err)
		}
	}
}

func TestTextIsNotWrittenIntoAFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "text")
	if _, err := WriteFolder(dir, FormatText, &analysis.Report{}); err == nil {
		t.Error("text is written into a folder")
	}
}

func TestEchoIsSealed(t *testing.T) {
	t.Parallel()
	reporttest.Golden(t, "echo.txt", printed(t, FormatText, reporttest.EchoFixture(t), Options{}))
}

func TestHgrmNeedsADirectory(t *testing.T) {
	t.Parallel()
	if err := Write(io.Discard, formats.Hgrm, reporttest.Quick(t), Options{}); err == nil ||
		err.Error() != "--format hgrm writes a directory of files and needs --output DIRECTORY" {
		t.Errorf("got %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := formats.WriteHgrmFolder(file, reporttest.Quick(t)); err == nil {
		t.Error("a directory was made in the place of a file")
	}
}
