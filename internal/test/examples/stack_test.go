package examples

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/check/conform"
	"rpcbench/internal/results/result"
)

// root is the repository, seen from this package.
const root = "../../.."

// program is an rpcbench, built for these tests.
var program string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "rpcbench-examples-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(folder, "rpcbench")
	if text, err := exec.Command("go", "build", "-o", program, root+"/cmd/rpcbench").CombinedOutput(); err != nil {
		panic(string(text))
	}
	code := m.Run()
	_ = os.RemoveAll(folder) // of the system's temporary ones
	os.Exit(code)
}

// patience is how long a test may take: until shortly before go test ends all tests.
func patience(t *testing.T) context.Context {
	t.Helper()
	end, ok := t.Deadline()
	if !ok {
		return t.Context()
	}
	ctx, cancel := context.WithDeadline(t.Context(), end.Add(-10*time.Second))
	t.Cleanup(cancel)
	return ctx
}

// do runs a program in a folder and returns what it prints.
func do(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(patience(t), name, args...)
	command.Dir = folder
	text, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text)
	}
	return string(text)
}

// copied is a copy of an example, far from the repository.
func copied(t *testing.T, name string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(root, "examples", name))); err != nil {
		t.Fatal(err)
	}
	return folder
}

// builtStack builds the example's worker as a module of somebody else's, which finds rpcbench by a replace.
func builtStack(t *testing.T) string {
	t.Helper()
	folder := copied(t, "own-stack")
	sources, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	do(t, folder, "go", "mod", "edit", "-replace", "rpcbench="+sources)
	do(t, folder, "go", "build", "-o", "own-stack", ".")
	return folder
}

func TestAStackFromOutsideConforms(t *testing.T) {
	t.Parallel()
	folder := builtStack(t)
	suite, err := conform.New(t.Context(), conform.Config{
		Command: []string{filepath.Join(folder, "own-stack")}, Reference: []string{program, "worker"}, Timing: conform.NoTiming,
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	verdict, err := suite.Run(patience(t), &lines)
	if err != nil || verdict.Failed > 0 || verdict.OK < 65 {
		t.Errorf("%v, error %v\n%s", verdict, err, lines.String())
	}
}

func TestAStackFromOutsideIsMeasuredBesideOurs(t *testing.T) {
	t.Parallel()
	folder := builtStack(t)
	do(t, folder, program, "run", "latency", "--workers", ".", "--stacks", "own-stack,grpc-go", "--trials", "1", "--set", "calls=20",
		"--set", "request_bytes=1kB", "--set", "warmup=0s", "--out", "r.jsonl")
	file, err := result.ReadFile(filepath.Join(folder, "r.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]int64{}
	for _, trial := range file.Trials {
		for _, outcome := range trial.Clients[0].Outcomes {
			calls[trial.Spec.Stack+" "+outcome.Code] += outcome.Calls
		}
	}
	if calls["own-stack OK"] != 20 || calls["grpc-go OK"] != 20 {
		t.Errorf("the calls are %v, want 20 of each", calls)
	}
}

func TestAStackFromOutsideIsSmallAndListed(t *testing.T) {
	t.Parallel()
	folder := builtStack(t)
	lines := strings.Count(readFile(t, filepath.Join(folder, "main.go")), "\n")
	if lines > 170 {
		t.Errorf("the example has %d lines: the tutorial promises that a worker is small", lines)
	}
	text := do(t, folder, program, "stacks", "--workers", ".")
	if !strings.Contains(text, "own-stack") {
		t.Errorf("rpcbench stacks does not list it:\n%s", text)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
