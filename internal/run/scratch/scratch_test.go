package scratch

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const asOwner = "as-owner"

// TestMain lets a copy of this binary own a folder until its input ends.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == asOwner {
		path, err := new(Dir).Path()
		fmt.Println(path, err)
		_, _ = os.Stdin.Read(make([]byte, 1))
		return
	}
	os.Exit(m.Run())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// here puts all folders of a test into a separate one.
func here(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, folder)
	}
	return folder
}

// owner is another process that owns a folder.
func owner(t *testing.T) (path string, kill func()) {
	t.Helper()
	command := exec.Command(os.Args[0], asOwner)
	out, err := command.StdoutPipe()
	must(t, err)
	_, err = command.StdinPipe()
	must(t, err)
	must(t, command.Start())
	kill = func() { _ = command.Process.Kill(); _ = command.Wait() }
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	path, isGood := strings.CutSuffix(line, " <nil>\n")
	if !isGood {
		t.Fatal(line)
	}
	return path, kill
}

func TestAFolderIsThisUsersAndGoes(t *testing.T) {
	folder := here(t)
	var d Dir
	must(t, d.Remove()) // nothing
	inner, err := d.Folder()
	must(t, err)
	path, err := d.Path()
	must(t, err)
	if filepath.Dir(path) != folder || filepath.Dir(inner) != path {
		t.Errorf("%s is not in %s, or %s not in that", path, folder, inner)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("it has mode %v, %v", info.Mode(), err)
	}
	must(t, os.WriteFile(filepath.Join(inner, "x"), nil, 0o600))
	must(t, d.Remove())
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if again, err := d.Path(); err != nil || !exists(again) {
		t.Errorf("it can't be used again: %v", err)
	}
	must(t, d.Remove())
}

func TestWhatAKilledProcessLeftGoesWithTheNext(t *testing.T) {
	folder := here(t)
	killed, kill := owner(t)
	must(t, os.MkdirAll(filepath.Join(killed, "a", "b"), 0o700))
	kill()
	if !exists(killed) {
		t.Fatal("it went by itself, which shows nothing")
	}
	alive, _ := owner(t)
	others := filepath.Join(folder, "rpcbench-notes") // that nobody here has made
	must(t, os.Mkdir(others, 0o700))
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.Mkdir(outside, 0o700))
	must(t, os.WriteFile(filepath.Join(outside, lockName), nil, 0o600))
	must(t, os.Symlink(outside, filepath.Join(folder, "rpcbench-link")))
	var d Dir
	_, err := d.Path()
	must(t, err)
	defer d.Remove()
	if exists(killed) {
		t.Error("the folder of a killed process is still there")
	}
	for _, path := range []string{alive, others, outside} {
		if !exists(path) {
			t.Errorf("%s is gone", path)
		}
	}
}

func TestWithoutADirFoldersAreTheSystems(t *testing.T) {
	folder := here(t)
	if made, err := (*Dir)(nil).Folder(); err != nil || filepath.Dir(made) != filepath.Clean(folder) {
		t.Errorf("%s, %v", made, err)
	}
}
