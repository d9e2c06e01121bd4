package result

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/test/allocated"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestFormatIsSealed(t *testing.T) {
	t.Parallel()
	golden := filepath.Join("testdata", "v2.jsonl")
	path := write(t, sampleHeader(), sampleTrial(), failedTrial())
	got := readBytes(t, path)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(readBytes(t, golden)), string(got)); diff != "" {
		t.Errorf("the writer's bytes changed, so the format needs a new version (-sealed +written):\n%s", diff)
	}
	file, err := ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := &File{Name: golden, Header: sampleHeader(), Trials: []Trial{sampleTrial(), failedTrial()}}
	if diff := cmp.Diff(want, file); diff != "" {
		t.Errorf("read back (-written +read):\n%s", diff)
	}
}

func TestHistogramSurvivesEncoding(t *testing.T) {
	t.Parallel()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	for _, ns := range []int64{1, 22_100, 22_100, 41_000, int64(time.Hour)} {
		if err := h.RecordValue(ns); err != nil {
			t.Fatal(err)
		}
	}
	encoded, err := EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := DecodeHistogram(encoded)
	if err != nil {
		t.Fatal(err)
	}
	if !h.Equals(decoded) || decoded.TotalCount() != 5 {
		t.Errorf("decoded %d samples that differ from the 5 encoded", decoded.TotalCount())
	}
	if _, err := DecodeHistogram("rubbish"); err == nil {
		t.Error("rubbish was decoded")
	}
}

func TestCreateRefusesAnExistingFile(t *testing.T) {
	t.Parallel()
	path := write(t, sampleHeader())
	before := readBytes(t, path)
	_, err := Create(path, Header{})
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), path+" exists already") {
		t.Errorf("Create on an existing file: %v", err)
	}
	if !bytes.Equal(before, readBytes(t, path)) {
		t.Error("the existing file was changed")
	}
}

func TestAnEmptyFileIsWrittenTo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	writer, err := Create(path, sampleHeader())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, sampleHeader()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("while it is written: %v", err)
	}
	if err := errors.Join(writer.Append(sampleTrial()), writer.Close()); err != nil {
		t.Fatal(err)
	}
	if file, err := ReadFile(path); err != nil || len(file.Trials) != 1 {
		t.Errorf("%+v, %v", file, err)
	}
}

func TestRemoveTakesResultsAndWhatIsLeftOfThemOnly(t *testing.T) {
	t.Parallel()
	whole := string(readBytes(t, write(t, sampleHeader(), sampleTrial())))
	for text, removed := range map[string]bool{
		whole: true, whole[:len(whole)-20]: true, whole[:100]: true, "": true,
		whole[:20]: false, whole[:100] + "\n": false, "a diary": false, strings.Replace(whole, `"version":2`, `"version":3`, 1): false,
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := Remove(path)
		if _, gone := os.Stat(path); removed != errors.Is(gone, fs.ErrNotExist) || removed != (err == nil) {
			t.Errorf("%.120q: %v, want it removed: %t", text, err, removed)
		}
	}
}

func TestReadNamesWhatIsNotWhole(t *testing.T) {
	t.Parallel()
	whole := string(readBytes(t, write(t, sampleHeader(), sampleTrial(), failedTrial())))
	lines := strings.SplitAfter(whole, "\n")
	for name, test := range map[string]struct {
		text     string
		trials   int
		warnings []string
	}{
		"cut off in the last line": {whole[:len(whole)-20], 1,
			[]string{"f.jsonl:3: cut off in the middle of a line; trials read before it: 1"}},
		"only the line feed is missing": {strings.TrimSuffix(whole, "\n"), 2, nil},
		"no trial yet":                  {lines[0], 0, nil},
		"corrupt line in the middle": {lines[0] + "{\"id\":\x00}\n" + lines[2], 1,
			[]string{`f.jsonl:2: not a trial, left out: invalid character '\x00' looking for beginning of value`}},
		"a line without an id": {lines[0] + "null\n" + lines[2], 1,
			[]string{"f.jsonl:2: not a trial, left out: it has no id"}},
		"two values on a line": {lines[0] + lines[1][:len(lines[1])-1] + lines[2], 0,
			[]string{"f.jsonl:2: not a trial, left out: more than one value on the line"}},
		"unknown status": {lines[0] + `{"id":"a","status":"maybe"}` + "\n", 0,
			[]string{`f.jsonl:2: not a trial, left out: unknown status "maybe"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := Read(strings.NewReader(test.text), "f.jsonl")
			if err != nil {
				t.Fatal(err)
			}
			if len(file.Trials) != test.trials {
				t.Errorf("%d trials read, want %d", len(file.Trials), test.trials)
			}
			if diff := cmp.Diff(test.warnings, file.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	whole := string(readBytes(t, write(t, sampleHeader(), sampleTrial())))
	for name, test := range map[string]struct{ text, want string }{
		"newer version": {strings.Replace(whole, `"version":2`, `"version":3`, 1),
			"f.jsonl:1: results of version 3, but this rpcbench reads version 2 only"},
		"another format": {`{"format":"k6","version":1}` + "\n",
			"f.jsonl:1: not a results file of rpcbench: its first line is not a header"},
		"no JSON":               {"stack,p50\n", "f.jsonl:1: not a results file of rpcbench: its first line is not a header"},
		"empty":                 {"", "f.jsonl:1: the file is empty"},
		"cut off in the header": {whole[:100], "f.jsonl:1: cut off in its first line, so that it has no trials"},
		"cut off before it is known what it is": {whole[:20],
			"f.jsonl:1: not a results file of rpcbench: its first line is not a header"},
		"a header that is no JSON": {whole[:100] + "\n", "f.jsonl:1: not a results file of rpcbench: its first line is not a header"},
		"two files in one":         {whole + whole, "f.jsonl:3: a second results file begins here: give the files separately"},
		"two files in one, without a line feed in between": {strings.TrimSuffix(whole, "\n") + whole,
			"f.jsonl:2: a second results file begins here: give the files separately"},
		"unknown field in the header": {strings.Replace(whole, `"seed"`, `"seeds"`, 1),
			`f.jsonl:1: unknown field "seeds": was this file written by a newer rpcbench?`},
		"unknown field in a trial": {strings.Replace(whole, `"elapsed_ns"`, `"lapsed_ns"`, 1),
			`f.jsonl:2: unknown field "lapsed_ns": was this file written by a newer rpcbench?`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Read(strings.NewReader(test.text), "f.jsonl"); err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestLastTrialOfAnIDCounts(t *testing.T) {
	t.Parallel()
	failed, again := failedTrial(), failedTrial()
	again.Status, again.Failure, again.Clients = StatusOK, "", sampleTrial().Clients
	file, err := ReadFile(write(t, sampleHeader(), failed, sampleTrial(), again))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Trial{again, sampleTrial()}, file.Trials); diff != "" {
		t.Errorf("trials (-want +got):\n%s", diff)
	}
}

func TestOpenAppendContinuesAtTheLastWholeLine(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]int{"whole": 0, "line feed missing": 1, "cut off": 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, sampleHeader(), sampleTrial(), failedTrial())
			whole := readBytes(t, path)
			if err := os.Truncate(path, int64(len(whole)-cut)); err != nil {
				t.Fatal(err)
			}
			writer, before, err := OpenAppend(path)
			if err != nil {
				t.Fatal(err)
			}
			if cut == 20 && (len(before.Trials) != 1 || len(before.Warnings) != 1) {
				t.Errorf("%d trials and warnings %q of a cut file", len(before.Trials), before.Warnings)
			}
			if cut != 20 && (len(before.Trials) != 2 || len(before.Warnings) != 0) {
				t.Errorf("%d trials and warnings %q of a whole file", len(before.Trials), before.Warnings)
			}
			if err := errors.Join(writer.Append(failedTrial()), writer.Close()); err != nil {
				t.Fatal(err)
			}
			after, err := ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			resumed := failedTrial()
			resumed.Occasion = 2
			if diff := cmp.Diff([]Trial{sampleTrial(), resumed}, after.Trials); diff != "" || after.Warnings != nil {
				t.Errorf("after appending: warnings %q, trials (-want +got):\n%s", after.Warnings, diff)
			}
		})
	}
}

func TestOpenAppendLeavesAForeignFileAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("not ours"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenAppend(path); err == nil {
		t.Error("a foreign file was opened")
	}
	if got := string(readBytes(t, path)); got != "not ours" {
		t.Errorf("the foreign file is now %q", got)
	}
}

// Who looks whether a file is written has it for a moment.
func TestALookDoesNotRefuseAWriter(t *testing.T) {
	t.Parallel()
	path := write(t, sampleHeader(), sampleTrial())
	looked, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := tryLock(looked, together); err != nil {
		t.Fatal(err)
	}
	if is, known := IsWritten(path); is || !known {
		t.Errorf("is written: %v, known: %v, where another looks", is, known)
	}
	synctest.Test(t, func(t *testing.T) {
		time.AfterFunc(lockPause/2, func() { looked.Close() })
		writer, _, err := OpenAppend(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAFileHasOneWriter(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	first, err := Create(path, sampleHeader())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenAppend(path); err == nil || !strings.Contains(err.Error(), path+": another rpcbench is writing it") {
		t.Errorf("a second writer: %v", err)
	}
	if err := Remove(path); err == nil || !strings.Contains(err.Error(), path+": another rpcbench is writing it") {
		t.Errorf("removed while it is written: %v", err)
	}
	late := sampleTrial() // as the last pair of ab may be
	late.Repetition = RepetitionMax
	if err := errors.Join(first.Append(late), first.Close()); err != nil {
		t.Fatal(err)
	}
	second, content, err := OpenAppend(path)
	if err != nil || len(content.Trials) != 1 {
		t.Fatalf("after the first: %v, %+v", err, content)
	}
	if _, _, err := OpenAppend(path); err == nil {
		t.Error("a third writer was let in")
	}
	if _, err := ReadFile(path); err != nil { // while it is written
		t.Error(err)
	}
	if is, known := IsWritten(path); !is || !known {
		t.Errorf("is written: %v, known: %v, while a writer has it", is, known)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

// Without locks, another process may have written after what this writer knows of.
func TestWhatOthersWroteIsNotCut(t *testing.T) {
	t.Parallel()
	path := write(t, sampleHeader())
	writer, _, err := OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	before := readBytes(t, path)
	torn := []byte(`{"id":"a`)
	if _, err := writer.file.Write(torn); err != nil {
		t.Fatal(err)
	}
	if err := writer.cut(writer.size + int64(len(torn))); err != nil || !bytes.Equal(readBytes(t, path), before) {
		t.Errorf("of a torn line is left %q, %v", readBytes(t, path), err)
	}
	others := []byte("others\n")
	if _, err := writer.file.Write(others); err != nil {
		t.Fatal(err)
	}
	if err := writer.cut(writer.size); err == nil || !bytes.Equal(readBytes(t, path), append(before, others...)) {
		t.Errorf("%v: the file is now %q", err, readBytes(t, path))
	}
}

func TestAFailedAppendIsAnError(t *testing.T) {
	t.Parallel()
	writer, err := Create(filepath.Join(t.TempDir(), "r.jsonl"), Header{})
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := writer.Append(sampleTrial()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Append to a closed file: %v", err)
	}
}

// Not parallel, because it counts what the process allocates.
func TestALineIsBoundedBeforeItIsDecoded(t *testing.T) {
	begin := fmt.Sprintf(`{"format":%q,"version":%d,"plan":[`, Format, Version)
	for what, text := range map[string]string{
		"many trials":  begin + strings.Repeat("{},", 2_000_000) + "{}]}",
		"deep":         begin + strings.Repeat("[", 2_000_000),
		"deep objects": begin + strings.Repeat(`{"spec":`, 1_000_000),
	} {
		allocated.AtMost(t, 40<<20, func() { // the line itself, as it grows
			_, err := Read(strings.NewReader(text), "f")
			if err == nil || !strings.Contains(err.Error(), "more than") {
				t.Errorf("%s: got %v", what, err)
			}
		})
	}
}

// FuzzRead checks that reading takes memory in proportion to the input, never panics, and returns unique IDs, and that a file
// that is written and read again stays the same.
func FuzzRead(f *testing.F) {
	sealed, err := os.ReadFile(filepath.Join("testdata", "v2.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	lines := bytes.SplitAfter(sealed, []byte("\n"))
	f.Add(sealed)
	f.Add(sealed[:len(sealed)/2])
	f.Add(bytes.Join([][]byte{lines[0], []byte("{}\n"), lines[1]}, nil))
	f.Add([]byte(`{"format":"rpcbench-results","version":9}`))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var file *File
		var whole extent
		var err error
		allocated.AtMost(t, 1<<20+500*uint64(len(text)), func() { file, whole, err = read(bytes.NewReader(text), "f") })
		if err != nil {
			return
		}
		if whole.size < 0 || whole.size > int64(len(text)) {
			t.Fatalf("%d of %d bytes are whole", whole.size, len(text))
		}
		again, err := Read(bytes.NewReader(text[:whole.size]), "f")
		if err != nil {
			t.Fatalf("the whole part can't be read: %v", err)
		}
		if diff := cmp.Diff(file.Trials, again.Trials); diff != "" {
			t.Fatalf("the whole part reads differently:\n%s", diff)
		}
		seen := map[string]bool{}
		for _, trial := range file.Trials {
			if seen[trial.ID] {
				t.Fatalf("two trials with the id %q", trial.ID)
			}
			seen[trial.ID] = true
		}
	})
}

// write makes a results file and returns its path.
func write(t *testing.T, header Header, trials ...Trial) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	writer, err := Create(path, header)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range trials {
		if err := writer.Append(trial); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func readBytes(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func samplePlan() plan.Trial {
	return plan.Trial{
		ID: "a1", Repetition: 1, Cases: []plan.Case{{Scenario: "quick", Title: "1 kB echo, one caller"}},
		Spec: plan.Spec{
			Stack: "grpc-go", Server: "grpc-go", Protocol: "grpc", Kind: "unary", RequestBytes: 1000, ResponseBytes: 1000,
			Connections: 1, InFlight: 1, Load: plan.LoadConstant, OfferedPerSec: 0.5, Security: "plaintext",
			Network: "tcp", Compression: "none", Payload: "random", ClientCPUs: "0", ServerCPUs: "1",
			Options: map[string]string{"write_buffer_bytes": "0"}, DeadlineNs: 10e9, DrainNs: 10e9, WarmupNs: 1e9,
			DurationNs: 2e9,
		},
	}
}

func sampleHeader() Header {
	return Header{
		Format: Format, Version: Version, Created: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), Seed: 1,
		Binary: Binary{Version: "v0.1.0", Commit: "0123abcd+dirty", Go: "go1.26.8"},
		Hosts: []Host{{Name: "bench", OS: "linux", Arch: "amd64", Kernel: "6.12", CPU: "A CPU @ 3 GHz", Processors: 2,
			MemoryBytes: 8 << 30, Governor: "performance"},
			{ID: "db1", Name: "db1.example.com", OS: "linux", Arch: "arm64", Processors: 64}},
		Scenarios: []Scenario{{Name: "quick", Question: "How long?", Trials: 3, Note: "A look, not a verdict.",
			Cases: []string{"1 kB echo"}}},
		Notes: []plan.Note{{Code: plan.NoteLeftOut, Text: "unix with tls left out"}},
		Plan:  []plan.Trial{samplePlan()},
	}
}

func sampleTrial() Trial {
	p := samplePlan()
	known := func(n int64) *int64 { return &n }
	return Trial{
		ID: p.ID, Repetition: p.Repetition, Spec: p.Spec, Cases: p.Cases, Floor: true,
		Started: time.Date(2026, 9, 1, 12, 0, 1, 500, time.UTC), Status: StatusOK, Interrupted: true,
		Clients: []Client{{
			Side: Side{Runtime: "go1.26.8 linux/amd64", Library: "google.golang.org/grpc v1.85.0",
				Begin: &Snapshot{TimeNs: 1, CPUUserNs: 2, CPUSystemNs: 3, PeakMemoryBytes: 4, Sockets: 1, BytesOut: known(0)},
				End: &Snapshot{TimeNs: 11, CPUUserNs: 12, CPUSystemNs: 13, PeakMemoryBytes: 14, Sockets: 1,
					BytesOut: known(1), BytesIn: known(2), Allocations: known(3), AllocatedBytes: known(4),
					GCCycles: known(5), GCPauseNs: known(6), PacerCPUNs: known(7), HeapBytes: known(8),
					HeapCommittedBytes: known(9), VoluntarySwitches: known(10), InvoluntarySwitches: known(11)}},
			Record: Record{
				ElapsedNs: 2e9, StoppedNs: 19e8, Arrivals: 3,
				Outcomes:    []Outcome{{Code: CodeOK, Calls: 2}, {Code: "UNAVAILABLE", Calls: 1, Example: "refused"}},
				MessagesOut: 3, MessagesIn: 2, PayloadOut: 3000, PayloadIn: 2000, Clamped: 1,
				Histograms: map[string]string{HistResponse: "aGRy", HistError: "aGRy"},
				Intervals: []Interval{{StartNs: 0, EndNs: 1e8, OK: 2, Errors: 1, InFlight: 1,
					Response: &Quantiles{Calls: 2, P50Ns: 1, P90Ns: 2, P99Ns: 3, MaxNs: 4}, ResponseHistogram: "aGRy"}},
				Windows: []Window{{StartNs: 0, EndNs: 1e9, Response: "aGRy"}},
				Codec:   &Codec{Repeat: 1000, EncodedBytes: 540, GzippedBytes: 310},
				Stalled: &Stalled{Phase: PhaseMeasured, SinceNs: 1e8, DurationNs: 105e8},
				Warmup:  &Warmup{ElapsedNs: 13e8, Steady: new(false)},
			},
			BegunNs: 120e3,
		}},
		Servers:       []Side{{Host: "db1", Runtime: "go1.26.8 linux/amd64"}},
		WireCountedAt: "client", Warnings: []Warning{{Code: WarningNoProfile, Text: "a warning"}}, Profiled: true,
		Relay: &Relay{Host: "db1", ElapsedNs: 51e8, CPUNs: 9e8, WaitCPUNs: 4e8, UpBytes: 10400, DownBytes: 20800, LateP99Ns: 61e3,
			LateMaxNs: 15e5},
		Evidence: []string{"a1-client-cpu.pprof", "a1-client-threads.txt"},
		Hosts: []HostUse{{Host: "db1", ElapsedNs: 5e9, Hiccups: Hiccups{Count: 4700, P50Ns: 61e3, P99Ns: 190e3, MaxNs: 31e5},
			CPU: &HostCPU{BusyNs: 62e8, IdleNs: 37e8, StealNs: 1e8}, WatchCPUNs: known(4e7), EnergyJoules: new(151.25)}},
	}
}

func failedTrial() Trial {
	p := samplePlan()
	return Trial{
		ID: "b2", Repetition: 2, Spec: p.Spec, Cases: p.Cases, Started: time.Date(2026, 9, 1, 12, 0, 5, 0, time.UTC),
		Status: StatusFailed, Failure: "server: exited with 2", LastWords: "panic: no",
	}
}

func TestALineIsBounded(t *testing.T) {
	t.Parallel()
	read := func(text string, most int64) (string, error) {
		line, size, err := readLine(bufio.NewReaderSize(strings.NewReader(text), 16), most)
		if err == nil && size != int64(strings.Index(text, "\n")+1) {
			t.Errorf("%q: its size is %d", text, size)
		}
		return string(line), err
	}
	long := "{" + strings.Repeat("x", 98) + "\n"
	if line, err := read(long+"y", 100); err != nil || line != long {
		t.Errorf("%q, %v", line, err)
	}
	if line, err := read(long, 99); !errors.Is(err, ErrLineTooLong) || line != "" {
		t.Errorf("%q, %v, want %v", line, err, ErrLineTooLong)
	}
	for text, want := range map[string]string{
		strings.Repeat("x", 99) + "\n":              strings.Repeat("x", 16),
		"{" + strings.Repeat("\x00", 98) + "\n":     "{" + strings.Repeat("\x00", 15),
		" {" + long:                                 " {" + long,
		long[:40] + "\x00" + long[40:]:              long[:40] + "\x00" + strings.Repeat("x", 7),
		strings.Repeat(" ", 20) + "{" + long + "\n": strings.Repeat(" ", 16),
	} {
		if line, err := read(text, 200); err != nil || line != want {
			t.Errorf("%q: %q, %v, want %q", text, line, err, want)
		}
	}
	if _, err := read("half", 99); !errors.Is(err, io.EOF) {
		t.Errorf("half a line: %v", err)
	}
}
