package child_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"rpcbench/internal/run/child"
)

// Not parallel, because it counts and limits the process's open files.
func TestAProgramThatCannotBeStartedLeavesNoFileOpen(t *testing.T) {
	starts := map[string]func() (*child.Child, error){
		"piped": func() (*child.Child, error) {
			c, err := child.StartPiped(program("good"), nil)
			if err != nil {
				return nil, err
			}
			c.In.Close()
			return c.Child, nil
		},
		"drained": func() (*child.Child, error) {
			command := program("fails")
			command.Stdout, command.Stderr = discarded{}, discarded{}
			return child.Start(command, nil)
		},
		"unknown": func() (*child.Child, error) {
			command := exec.Command("/nowhere/program")
			command.Stdout = discarded{}
			return child.Start(command, nil)
		},
	}
	for name, begin := range starts {
		before := openFiles(t)
		for most := 0; ; most++ {
			c, err := startWithin(t, most, begin)
			if c != nil {
				_ = c.Wait()
				break
			}
			if after := openFiles(t); after != before {
				t.Fatalf("%s within %d files: %v, and %d files are open, %d were", name, most, err, after, before)
			}
			if errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
	}
}

// startWithin starts a program while the number of open files is limited.
func startWithin(t *testing.T, most int, begin func() (*child.Child, error)) (*child.Child, error) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: uint64(most), Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
	}()
	return begin()
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

type discarded struct{}

func (discarded) Write(b []byte) (int, error) { return len(b), nil }
