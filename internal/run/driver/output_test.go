package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/results/result"
)

// TestWhatAWorkerPrintsIsKept checks the file, its name in the evidence, and that there is none where nothing is printed.
func TestWhatAWorkerPrintsIsKept(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "r.evidence")
	s := &sides{driver: &driver{Config: Config{Evidence: folder}}, sideTrial: sideTrial{evidence: &result.Trial{ID: "a1"}}}
	client, server := s.newOutput("client"), s.newOutput("server-2")
	s.outputs = []*output{client, server}
	if _, err := client.lines.Write([]byte("[0.1s] GC(0) Pause\n-Dx.password=hunter2 and more")); err != nil {
		t.Fatal(err)
	}
	s.keepOutputs()
	if got := s.evidence.Evidence; len(got) != 1 || got[0] != "a1-client-output.txt" {
		t.Fatalf("the evidence is %v", got)
	}
	kept, err := os.ReadFile(filepath.Join(folder, "a1-client-output.txt"))
	if text := string(kept); err != nil || !strings.HasPrefix(text, "[0.1s] GC(0) Pause\n") || strings.Contains(text, "hunter2") {
		t.Errorf("kept %q, %v", kept, err)
	}
	if len(s.evidence.Warnings) != 0 {
		t.Errorf("warnings: %v", s.evidence.Warnings)
	}
}

func TestWhatAWorkerPrintsIsBounded(t *testing.T) {
	t.Parallel()
	s := &sides{driver: &driver{Config: Config{Evidence: t.TempDir()}}, sideTrial: sideTrial{evidence: &result.Trial{ID: "a1"}}}
	o := s.newOutput("client")
	o.left = 10
	s.outputs = []*output{o}
	_, _ = o.lines.Write([]byte("12345678\nmore\n"))
	_, _ = o.lines.Write([]byte("last\n"))
	s.keepOutputs()
	kept, err := os.ReadFile(filepath.Join(s.Evidence, "a1-client-output.txt"))
	if err != nil || string(kept) != "12345678\n" {
		t.Errorf("kept %q, %v", kept, err)
	}
	if w := s.evidence.Warnings; len(w) != 1 || w[0].Code != result.WarningCutOutput {
		t.Errorf("warnings: %v", w)
	}
}
