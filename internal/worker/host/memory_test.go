package host

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheLowestLimitOfMemoryHolds(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for path, text := range map[string]string{
		"a/memory.max": "1000\n", "a/b/memory.max": "2000\n", "a/c/memory.max": "max\n", "d/memory.max": "7\n",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]int64{
		"": 5000, "0::/\n": 5000, "0::/a\n": 1000, "12:pids:/x\n0::/a/b\n": 1000, "0::/a/c\n": 1000, "0::/d\n": 7, "0::/../../d\n": 7,
	} {
		if got := lowest(5000, root, groupOf(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := MemoryLimit(); got < 1<<20 {
		t.Errorf("this process may have %d bytes", got)
	}
}

// The kernel's reading may fall by what it has not recorded yet.
func TestAPeakNeverFalls(t *testing.T) {
	t.Parallel()
	var p peak
	for _, c := range []struct{ reading, want int64 }{{21_647_360, 21_647_360}, {21_381_120, 21_647_360}, {30e6, 30e6}, {0, 30e6}} {
		if got := p.of(c.reading); got != c.want {
			t.Errorf("after a reading of %d: %d, want %d", c.reading, got, c.want)
		}
	}
}
