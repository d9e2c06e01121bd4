package manifest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/test/allocated"
)

const whole = `name: grpc-java
command: [./worker, --fast, --fast]
runtime: jvm
least_warmup: 8s
stacks: [grpc-java-netty, grpc-java-okhttp]
`

func write(t *testing.T, folder, worker, text string) string {
	t.Helper()
	path := filepath.Join(folder, worker, FileName)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAManifestSaysHowAWorkerIsStartedAndWhatItHosts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := write(t, folder, "grpc-java", whole)
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	want := Worker{
		Name: "grpc-java", Path: path, Command: []string{filepath.Join(folder, "grpc-java", "worker"), "--fast", "--fast"},
		Runtime: "jvm", LeastWarmup: 8 * time.Second, Stacks: []string{"grpc-java-netty", "grpc-java-okhttp"},
	}
	if diff := cmp.Diff(want, got); diff != "" || !got.JVM() {
		t.Error(diff)
	}
}

func TestAManifestMayBeWrittenOnWindows(t *testing.T) {
	t.Parallel()
	got, err := Read(write(t, t.TempDir(), "x", "\ufeff"+strings.ReplaceAll(whole, "\n", "\r\n")))
	if err != nil || got.Name == "" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestSecondsNeedNoUnit(t *testing.T) {
	t.Parallel()
	got, err := Read(write(t, t.TempDir(), "x", strings.Replace(whole, "8s", "1.5", 1)))
	if err != nil || got.LeastWarmup != 1500*time.Millisecond {
		t.Errorf("%v, %v", got.LeastWarmup, err)
	}
}

func TestAProgramWithoutAFolderIsLeftToPATH(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{"node": "node", "/opt/w": "/opt/w", "../w": "%s/w", "bin/w": "%s/x/bin/w"} {
		folder := t.TempDir()
		got, err := Read(write(t, folder, "x", "name: x\ncommand: ["+program+"]\nstacks: [s]"))
		if strings.Contains(want, "%s") {
			want = fmt.Sprintf(want, folder)
		}
		if err != nil || got.Command[0] != want || got.JVM() || got.LeastWarmup != 0 {
			t.Errorf("%s: got %+v, %v; want %s", program, got, err, want)
		}
	}
}

func TestABadManifestIsOneSentenceWithItsPlace(t *testing.T) {
	t.Parallel()
	with := func(old, other string) string { return strings.Replace(whole, old, other, 1) }
	for _, test := range []struct{ text, want string }{
		{"", ": name is missing"},
		{with("name: grpc-java\n", ""), ": name is missing"},
		{with("name: grpc-java", "name: ''"), `:1:7: name: "" is not a word`},
		{with("name: grpc-java", "name: a b"), `:1:7: name: "a b" is not a word`},
		{with("name: grpc-java", "name: [a]"), ":1:7: expected one word"},
		{with("runtime: jvm", "runtime: cpython"), `:3:10: runtime: "cpython" is unknown; known: jvm`},
		{with("8s", "8x"), `:4:15: least_warmup: "8x" is not a duration, such as 8s or 300ms`},
		{with("8s", "-8s"), `:4:15: least_warmup: "-8s" is not a duration, such as 8s or 300ms`},
		{with("8s", "8h"), ":4:15: least_warmup: 8h0m0s is above the limit of 1h0m0s"},
		{with("[./worker, --fast, --fast]", "[]"), ": command is missing: a list of at least one word"},
		{with("[./worker, --fast, --fast]", "['']"), `:2:11: command: "" is not a word`},
		{with("[grpc-java-netty, grpc-java-okhttp]", "[]"), ": stacks is missing: a list of at least one word"},
		{with("[./worker, --fast, --fast]", "./worker"), ":2:10: expected a list of words"},
		{with("[./worker, --fast, --fast]", "[[a]]"), ":2:11: expected one word"},
		{with("grpc-java-okhttp]", "grpc-java-netty]"), ":5:27: stacks: grpc-java-netty is given twice"},
		{with("grpc-java-okhttp]", "'a,b']"), `:5:27: stacks: "a,b" is not a word`},
		{with("runtime", "runtim"), `:3:1: unknown field "runtim"`},
		{whole + "name: again", `:6:1: mapping key "name" already defined at [1:1]`},
		{whole + "---\nname: y", ": a second YAML document begins; the file has to be one"},
		{"name: [x", ":1:7: sequence end token ']' not found"},
		{whole + strings.Repeat("[", 65), ":6: values are nested more than 64 levels deep"},
	} {
		path := write(t, t.TempDir(), "x", test.text)
		if _, err := Read(path); err == nil || err.Error() != path+test.want {
			t.Errorf("got  %v\nwant %s%s", err, path, test.want)
		}
	}
}

func TestAFileThatIsTooLongForAManifestIsRefused(t *testing.T) {
	t.Parallel()
	path := write(t, t.TempDir(), "x", strings.Repeat("#", fileBytesMax+1))
	want := "read a worker's manifest: " + path + " is longer than 64 KiB"
	if _, err := Read(path); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestManifestsAreFoundInTheFolderAndOneBelow(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, worker := range []string{"b", "a", "", "a/deep"} {
		name := strings.NewReplacer("/", "-", "", "").Replace("w" + worker)
		write(t, folder, worker, "name: "+name+"\ncommand: [w]\nstacks: [stack-"+name+"]")
	}
	if err := os.MkdirAll(filepath.Join(folder, "none", FileName), 0o700); err != nil { // a folder is no manifest
		t.Fatal(err)
	}
	workers, err := Find(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range workers {
		names = append(names, w.Name)
	}
	if diff := cmp.Diff([]string{"w", "wa", "wb"}, names); diff != "" {
		t.Error(diff)
	}
	if none, err := Find(filepath.Join(folder, "gone")); err != nil || len(none) != 0 {
		t.Errorf("got %v, %v of a folder that is not there", none, err)
	}
}

func TestTwoWorkersWithOneStackAreNamedBoth(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a := write(t, folder, "a", "name: a\ncommand: [w]\nstacks: [x, s]")
	b := write(t, folder, "b", "name: b\ncommand: [w]\nstacks: [s]")
	want := fmt.Sprintf("the worker a (%s) and the worker b (%s) both claim the stack s", a, b)
	if _, err := Find(folder); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	write(t, folder, "b", "name: a\ncommand: [w]\nstacks: [t]")
	want = fmt.Sprintf("%s and %s are both named a", a, b)
	if _, err := Find(folder); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// FuzzParse: whatever the bytes are, parse ends, and either all is there or the error is one line that begins with the
// file.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{whole, "", "name: 1\ncommand: [1]\nstacks: [2.5, true]", "- a", "name: &n x\nstacks: [*n]",
		"command: [{a: b}]", "name: |\n  x", "least_warmup: 1e9s", "\xff\xfe\x00", "name: ~", "a: *b", "--- \n---\nname: x"} {
		f.Add([]byte(seed))
	}
	f.Add(bytes.Repeat([]byte("["), fileBytesMax))
	f.Fuzz(func(t *testing.T, data []byte) {
		var w Worker
		var err error
		allocated.AtMost(t, 512<<20, func() { w, err = parse("w.yaml", data) })
		if err != nil {
			if !strings.HasPrefix(err.Error(), "w.yaml:") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("not one sentence with its place: %q", err)
			}
			return
		}
		if w.Name == "" || len(w.Command) == 0 || w.Command[0] == "" || len(w.Stacks) == 0 || w.LeastWarmup < 0 {
			t.Fatalf("incomplete: %+v", w)
		}
	})
}
