package cli_test

import (
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"rpcbench/internal/results/result"
)

// Loads that a script starts together don't want one name.
func TestLoadsOfOneSecondHaveFilesOfTheirOwn(t *testing.T) {
	t.Parallel()
	shop, folder := openShop(t), t.TempDir()
	const loads = 4
	var all sync.WaitGroup
	for range loads {
		all.Go(func() {
			command := exec.Command("rpcbench", "load", shop.address, "--call", "shop.v1.Shop/Get", "--calls", "2", "--warmup", "0s")
			command.Dir = folder
			if said, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
	all.Wait()
	files, err := filepath.Glob(filepath.Join(folder, "rpcbench-*.jsonl"))
	if err != nil || len(files) != loads {
		t.Fatalf("the files are %v, %v; want %d", files, err, loads)
	}
	for _, path := range files {
		if file, err := result.ReadFile(path); err != nil || len(file.Trials) != 1 {
			t.Errorf("%s: %v", path, err)
		}
	}
}
