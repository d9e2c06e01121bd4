package programtest

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
)

// Each is started as soon as it is written, while others are written and started.
func TestAProgramCanBeStartedAtOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it is a script of a shell")
	}
	folder := t.TempDir()
	var all sync.WaitGroup
	for i := range 32 {
		path := filepath.Join(folder, strconv.Itoa(i))
		all.Go(func() {
			for range 16 {
				Write(t, path, "#!/bin/sh\n")
				if output, err := exec.Command(path).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, output)
				}
			}
		})
	}
	all.Wait()
}
