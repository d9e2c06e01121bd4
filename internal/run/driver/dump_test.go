package driver_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
)

// evidence runs one trial and returns what came of it.
func evidence(t *testing.T, config driver.Config, trial plan.Trial) result.Trial {
	t.Helper()
	k := &kept{}
	config.Trials, config.Results, config.Progress, config.Now = []plan.Trial{trial}, k, k, time.Now
	if config.Silence == 0 {
		config.Silence = patience
	}
	if _, err := driver.Run(t.Context(), config); err != nil || len(k.trials) != 1 {
		t.Fatalf("%v, %d trials", err, len(k.trials))
	}
	return k.trials[0]
}

// contents reads the files of a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(data)
	}
	return files
}

func TestAProfiledTrialNamesTheFilesOfBothSides(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "r.evidence")
	e := evidence(t, driver.Config{Launcher: workers("good"), Profile: true, Evidence: folder}, unary())
	want := []string{
		"t1-server-cpu.pprof", "t1-server-allocs.pprof", "t1-client-cpu.pprof", "t1-client-allocs.pprof",
	}
	if e.Status != result.StatusOK || !e.Profiled || !slices.Equal(e.Evidence, want) || e.Warnings != nil {
		t.Errorf("%s %q, profiled %v, evidence %q, warnings %q", e.Status, e.Failure, e.Profiled, e.Evidence, e.Warnings)
	}
	const gzip = "\x1f\x8b" // which profiles are packed with
	for name, content := range contents(t, folder) {
		if !slices.Contains(want, name) || !strings.HasPrefix(content, gzip) {
			t.Errorf("%s begins with %.10q", name, content)
		}
	}
}

func TestATrialThatIsNotProfiledKeepsNothing(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "r.evidence")
	e := evidence(t, driver.Config{Launcher: workers("good"), Evidence: folder}, unary())
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) || e.Profiled || e.Evidence != nil {
		t.Errorf("folder: %v; profiled %v, evidence %q", err, e.Profiled, e.Evidence)
	}
}

// Where others can write they may put a link in the place of a file that is to be made.
func TestAPlantedLinkIsNotWrittenThrough(t *testing.T) {
	t.Parallel()
	folder, precious := t.TempDir(), filepath.Join(t.TempDir(), "precious")
	if err := errors.Join(os.WriteFile(precious, []byte("gold"), 0o600),
		os.Symlink(precious, filepath.Join(folder, "t1-server-cpu.pprof"))); err != nil {
		t.Fatal(err)
	}
	e := evidence(t, driver.Config{Launcher: workers("good"), Profile: true, Evidence: folder}, unary())
	if text, err := os.ReadFile(precious); err != nil || string(text) != "gold" || e.Status != result.StatusOK || e.Warnings != nil {
		t.Errorf("%q, %v; %s, warnings %q", text, err, e.Status, e.Warnings)
	}
}

func TestProfilesNeedAFolder(t *testing.T) {
	t.Parallel()
	_, err := driver.Run(t.Context(), driver.Config{Profile: true})
	if err == nil || err.Error() != "profiles need a folder to be kept in" {
		t.Errorf("error %v", err)
	}
}
