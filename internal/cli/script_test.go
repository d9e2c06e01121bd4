package cli_test

import (
	"encoding/csv"
	"errors"
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts")

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: func(env *testscript.Env) error { env.Setenv("GORACE", raceOptions); return nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "refuses": refuses, "edit": edit, "cut": cut, "lines": lines, "csv": readsAsCSV,
			"await": awaitUntil(time.Now().Add(patience(t))),
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
	})
}

// exits CODE ARGS… runs rpcbench and wants the exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if err != nil || neg {
		ts.Fatalf("usage: exits CODE ARGS…")
	}
	if got := code(ts.Exec("rpcbench", args[1:]...)); got != want {
		ts.Fatalf("rpcbench %s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// refuses SENTENCE ARGS… runs rpcbench, which must call it bad input in exactly this sentence, and leave nothing behind.
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: refuses SENTENCE ARGS…")
	}
	before := listing(ts)
	exits(ts, false, append([]string{"2"}, args[1:]...))
	if got, want := ts.ReadFile("stderr"), "rpcbench: "+args[0]+"\n"; got != want {
		ts.Fatalf("stderr is\n%swant\n%s", got, want)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("stdout is %q, want nothing", out)
	}
	if after := listing(ts); !slices.Equal(before, after) {
		ts.Fatalf("the folder holds %v, and held %v before", after, before)
	}
}

// edit FILE OLD NEW replaces the first OLD in a file, which must have one.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o666))
}

// cut FILE BYTES takes so many bytes off the end of a file.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	bytes, err := strconv.Atoi(args[1])
	if err != nil || neg {
		ts.Fatalf("usage: cut FILE BYTES")
	}
	size := len(ts.ReadFile(args[0]))
	ts.Check(os.Truncate(ts.MkAbs(args[0]), int64(size-bytes)))
}

// lines FILE COUNT wants a file of so many whole lines.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[1])
	if err != nil || neg {
		ts.Fatalf("usage: lines FILE COUNT")
	}
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); got != want {
		ts.Fatalf("%s has %d lines, want %d", args[0], got, want)
	}
}

// csv FILE ROWS wants a file that is CSV with so many records beside its header.
func readsAsCSV(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[1])
	if err != nil || neg {
		ts.Fatalf("usage: csv FILE ROWS")
	}
	records, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	if got := len(records) - 1; got != want || records[0][0] != "scenario" {
		ts.Fatalf("%d rows under %q, want %d under scenario", got, records[0][0], want)
	}
}

// awaitUntil makes await FILES…, which waits until all of them are there, and somebody listens on those that are sockets.
func awaitUntil(end time.Time) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) == 0 {
			ts.Fatalf("usage: await FILES…")
		}
		for ; ; time.Sleep(10 * time.Millisecond) {
			missing := slices.IndexFunc(args, func(name string) bool { return !isThere(ts.MkAbs(name)) })
			if missing < 0 {
				return
			}
			if time.Now().After(end) {
				ts.Fatalf("%s is never there", args[missing])
			}
		}
	}
}

func isThere(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&os.ModeSocket == 0 {
		return err == nil
	}
	conn, err := net.Dial("unix", path)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

func code(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	default:
		return -2
	}
}

// listing names all files below the script's folder.
func listing(ts *testscript.TestScript) []string {
	var names []string
	err := filepath.WalkDir(ts.MkAbs("."), func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	ts.Check(err)
	return names
}
