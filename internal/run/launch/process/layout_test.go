//go:build unix

package process_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
)

// said is what a shell's script prints, started with a layout.
func said(t *testing.T, script, temporary string, layout launch.Layout) string {
	t.Helper()
	program := process.Program{Command: []string{"/bin/sh", "-c", script}, Temporary: temporary}
	p, err := process.Start(program, launch.Order{Layout: layout})
	if err != nil {
		t.Fatal(err)
	}
	printed, err := io.ReadAll(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err, p.LastWords())
	}
	return string(printed)
}

func TestALayoutLengthensTheEnvironmentAndTheDirectorysName(t *testing.T) {
	t.Parallel()
	temporary := t.TempDir()
	plain := said(t, "env", temporary, launch.Layout{})
	padded := said(t, "env", temporary, launch.Layout{EnvironmentBytes: 1000})
	if got := len(padded) - len(plain); got != 1000 {
		t.Errorf("the environment is %d bytes longer, want 1000", got)
	}
	want := filepath.Join(temporary, strings.Repeat("d", 77)) + "\n"
	for range 2 { // as the processes of one trial
		if got := said(t, "pwd -L", temporary, launch.Layout{DirectoryBytes: 77}); got != want {
			t.Errorf("the working directory is %q", got)
		}
	}
}

func TestALayoutLeavesTheWorkingDirectoryWhereItIs(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	got := said(t, "pwd -P; ls layout_test.go", t.TempDir(), launch.Layout{DirectoryBytes: 5})
	if resolved, _ := filepath.EvalSymlinks(here); got != resolved+"\nlayout_test.go\n" {
		t.Errorf("%q, want the files of %s", got, here)
	}
}
