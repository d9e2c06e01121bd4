package result_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"rpcbench/internal/results/result"
	"rpcbench/internal/test/allocated"
)

// A trial or a plan outside the limits of scenarios is refused.
func TestWhatNoScenarioCouldAskForIsNotRead(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, trials, _ := strings.Cut(string(good), "\n")
	const old, wild = `"connections":`, `"connections":-`
	if !strings.Contains(head, old) || !strings.Contains(trials, old) {
		t.Fatal("nothing can be made wild")
	}
	_, err = result.Read(strings.NewReader(strings.Replace(head, old, wild, 1)+"\n"+trials), "x.jsonl")
	const begin = `x.jsonl:1: trial 1 of the plan: shape: "-`
	if err == nil || !strings.HasPrefix(err.Error(), begin) {
		t.Errorf("got %v, want %s…", err, begin)
	}
	whole, err := result.Read(strings.NewReader(string(good)), "x.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file, err := result.Read(strings.NewReader(head+"\n"+strings.Replace(trials, old, wild, 1)), "x.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Trials) != len(whole.Trials)-1 || len(file.Warnings) != len(whole.Warnings)+1 {
		t.Fatalf("%d trials of %d; warnings %q", len(file.Trials), len(whole.Trials), file.Warnings)
	}
	if want := `x.jsonl:2: not a trial, left out: shape: "-`; !strings.HasPrefix(file.Warnings[0], want) {
		t.Errorf("got %s, want %s…", file.Warnings[0], want)
	}
}

// Every line that is no trial is a warning, and so a file of line feeds would be many times as large in memory.
func TestAFileOfManyLinesThatAreNoTrialsIsRefused(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(good), "\n")
	file, err := result.Read(strings.NewReader(head+strings.Repeat("\n", 101)), "x.jsonl")
	if err != nil || len(file.Warnings) != 100 {
		t.Errorf("%v, %v, want 100 warnings", file, err)
	}
	endless := io.MultiReader(strings.NewReader(head), lineFeeds{})
	const want = "x.jsonl:102: more than 100 lines are not trials"
	if _, err := result.Read(endless, "x.jsonl"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// What a crash or truncate(1) leaves behind is zeros. They are counted, and not kept. Not parallel, because it counts what the
// process allocates.
func TestLinesOfZerosTakeNoMemory(t *testing.T) {
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(good), "\n")
	many := func() io.Reader { return io.LimitReader(zeros{}, 64<<20) }
	for _, c := range []struct {
		text io.Reader
		want string
	}{
		{many(), "x.jsonl:1: not a results file of rpcbench: its first line is not a header"},
		{io.MultiReader(strings.NewReader("{"), many()), "x.jsonl:1: not a results file of rpcbench: its first line is not a header"},
		{io.MultiReader(many(), zeros{}), "x.jsonl: line 1: it has more than 1073741824 bytes"},
	} {
		allocated.AtMost(t, 1<<20, func() {
			if _, err := result.Read(c.text, "x.jsonl"); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	allocated.AtMost(t, 4<<20, func() {
		file, err := result.Read(io.MultiReader(strings.NewReader(head+"\n"), many()), "x.jsonl")
		const want = "x.jsonl:2: cut off in the middle of a line; trials read before it: 0"
		if err != nil || len(file.Warnings) != 1 || file.Warnings[0] != want {
			t.Errorf("got %v, %v", file, err)
		}
	})
}

// zeros is a file without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestAValueOfAnotherTypeIsNamedByItsField(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, trials, _ := strings.Cut(string(good), "\n")
	first, _, _ := strings.Cut(trials, "\n")
	swap := func(line, field, value string) string {
		begin, rest, ok := strings.Cut(line, `"`+field+`":`)
		end := strings.IndexAny(rest, ",}")
		if !ok || end < 0 {
			t.Fatalf("there is no %s", field)
		}
		return begin + `"` + field + `":` + value + rest[end:]
	}
	for _, c := range []struct{ field, value, want string }{
		{"seed", `"x"`, "x.jsonl:1: field seed: text is given; expected a whole number that fits"},
		{"protocol", "7", "x.jsonl:1: field plan.spec.protocol: a number is given; expected text"},
		{"connections", "1e99", "x.jsonl:1: field plan.spec.connections: number 1e99 is given; expected a whole number that fits"},
	} {
		_, err := result.Read(strings.NewReader(swap(head, c.field, c.value)+"\n"+trials), "x.jsonl")
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	file, err := result.Read(strings.NewReader(head+"\n"+swap(first, "status", "[]")+"\n"), "x.jsonl")
	if err != nil || len(file.Warnings) != 1 {
		t.Fatal(err, file)
	}
	if want := "x.jsonl:2: not a trial, left out: field status: a list is given; expected text"; file.Warnings[0] != want {
		t.Errorf("got %s, want %s", file.Warnings[0], want)
	}
}

// An error may quote a string as long as a line.
func TestNoErrorIsLongerThanASentence(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, trials, _ := strings.Cut(string(good), "\n")
	long := func(line, field string) string {
		return strings.Replace(line, `"`+field+`":"`, `"`+field+`":"`+strings.Repeat("A", 1<<20), 1)
	}
	for _, field := range []string{"created", "kind", "network"} {
		_, err := result.Read(strings.NewReader(long(head, field)+"\n"+trials), "x.jsonl")
		if err == nil || len(err.Error()) > 500 || !strings.Contains(err.Error(), "AAA") {
			t.Errorf("%s: got %d bytes: %.100v", field, len(fmt.Sprint(err)), err)
		}
	}
	for _, field := range []string{"status", "kind", "started"} {
		file, err := result.Read(strings.NewReader(head+"\n"+long(trials, field)), "x.jsonl")
		if err != nil || len(file.Warnings) == 0 || len(file.Warnings[0]) > 500 || !strings.Contains(file.Warnings[0], "AAA") {
			t.Errorf("%s: got %v, %.600q", field, err, file.Warnings)
		}
	}
}

func TestAFolderIsNamedOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if _, err := result.ReadFile(folder); err == nil || strings.Count(err.Error(), folder) != 1 {
		t.Errorf("got %v, want %s once", err, folder)
	}
}

// lineFeeds is a file without an end.
type lineFeeds struct{}

func (lineFeeds) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

// Members of a few bytes become structures of hundreds.
func TestListsOfEmptyMembersAreNotDecoded(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(good), "\n")
	empty := strings.Repeat("{},", 10_000) + "{}"
	for line, want := range map[string]string{
		`{"clients":[` + empty + `]}`:             "a list or an object of the first two levels has more than 1024 members",
		`{"clients":[{"mixed":[` + empty + `]}]}`: "its 10005 objects and lists have less than 32 bytes each",
	} {
		file, err := result.Read(strings.NewReader(head+"\n"+line+"\n"), "x.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		if len(file.Warnings) != 1 || !strings.HasSuffix(file.Warnings[0], want) {
			t.Errorf("got %q, want %s", file.Warnings, want)
		}
	}
}
