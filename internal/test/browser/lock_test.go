package browser

import (
	"encoding/json"
	"os"
	"testing"
)

// An address would send everybody to the registry of whoever wrote the file last.
func TestEveryPackageOfThePageHasAChecksum(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../web/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Integrity, Resolved string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	if len(lock.Packages) < 10 {
		t.Fatalf("%d packages", len(lock.Packages))
	}
	for name, p := range lock.Packages {
		if name != "" && p.Integrity == "" {
			t.Errorf("%s has no checksum", name)
		}
		if p.Resolved != "" {
			t.Errorf("%s is from %s", name, p.Resolved)
		}
	}
}
