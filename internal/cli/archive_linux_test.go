package cli_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rpcbench/internal/call/target"
	"rpcbench/internal/cli"
	"rpcbench/internal/cli/ui"
	"rpcbench/internal/results/archive"
)

const archiveToken = "0123456789abcdef0123"

// serveArchive serves an archive of two commits. Where it is to answer with results, another handler does.
func serveArchive(t *testing.T, results http.HandlerFunc) (address string) {
	t.Helper()
	dir, err := archive.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	text, err := os.ReadFile(filepath.Join("testdata", "mutated.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, commit := range []string{"aa11", "bb22"} {
		facts := archive.Facts{Commit: commit, Branch: "main"}
		if _, _, err := dir.Add(t.Context(), "r.jsonl", bytes.NewReader(text), 1<<30, facts); err != nil {
			t.Fatal(err)
		}
		text = append(text, '\n') // else it is the same file
	}
	tokens, err := ui.Tokens(archiveToken)
	if err != nil {
		t.Fatal(err)
	}
	served := ui.Handler(ui.Options{Dir: dir, Tokens: tokens, IsHost: target.IsLoopback})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/"+archive.PathResults) {
			results(w, r)
			return
		}
		served.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Nobody can mend a connection that broke by typing something else.
func TestAConnectionThatBreaksIsNoBadInput(t *testing.T) {
	t.Parallel()
	token := filepath.Join(t.TempDir(), "token")
	writeText(t, token, archiveToken)
	for name, results := range map[string]http.HandlerFunc{
		"halfway": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"format":`))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		},
		"failed": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "the disk is broken", http.StatusInternalServerError)
		},
	} {
		args := []string{"archive", "check", serveArchive(t, results), "--branch", "main", "--token-file", token}
		if code, said := cli.Say(args, stacks()); code != 1 {
			t.Errorf("%s: exit code %d, want 1: %s", name, code, said)
		}
	}
	notOurs := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a diary\n")) }
	args := []string{"archive", "check", serveArchive(t, notOurs), "--branch", "main", "--token-file", token}
	if code, said := cli.Say(args, stacks()); code != 2 || !strings.Contains(said, "not a results file of rpcbench") {
		t.Errorf("another file: exit code %d, want 2: %s", code, said)
	}
}

func TestAFetchIsInterrupted(t *testing.T) {
	t.Parallel()
	p := prepare(t, t.TempDir())
	address := serveArchive(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"format":`))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	writeText(t, filepath.Join(p.folder, "token"), archiveToken)
	p.cmd.Args = append(p.cmd.Args, "archive", "get", address, "r.jsonl", "--token-file", "token")
	printed, written, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer printed.Close()
	defer written.Close()
	p.cmd.Stdout = written
	p.begin(t)
	if _, err := printed.Read(make([]byte, 1)); err != nil { // until it has begun
		t.Fatal(err)
	}
	p.signal(t, syscall.SIGINT)
	if got := p.exit(t); got != 130 || !strings.HasSuffix(p.err.String(), "rpcbench: interrupted\n") {
		t.Errorf("exit code %d, want 130; stderr: %s", got, p.err.String())
	}
}
