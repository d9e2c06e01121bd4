package driver_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/driver"
	"rpcbench/internal/plan"
	"rpcbench/internal/result"
)

// evidence runs one trial that is profiled, or dumped when it stalls, and returns what came of it.
func evidence(t *testing.T, config driver.Config, trial plan.Trial) result.Trial {
	t.Helper()
	k := &kept{}
	config.Trials, config.Results, config.Progress, config.Now = []plan.Trial{trial}, k, k, time.Now
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
	e := evidence(t, driver.Config{Launch: launch("good", nil), Profile: true, Evidence: folder}, unary())
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
	e := evidence(t, driver.Config{Launch: launch("good", nil), Evidence: folder}, unary())
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) || e.Profiled || e.Evidence != nil || e.Stalled != nil {
		t.Errorf("folder: %v; profiled %v, stalled %v, evidence %q", err, e.Profiled, e.Stalled, e.Evidence)
	}
}

func TestProfilesNeedAFolder(t *testing.T) {
	t.Parallel()
	_, err := driver.Run(t.Context(), driver.Config{Profile: true})
	if err == nil || err.Error() != "profiles need a folder to be kept in" {
		t.Errorf("error %v", err)
	}
}

func TestAStalledTrialIsDumpedAndGoesOn(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := evidence(t, driver.Config{
		Launch: launch("hangs", nil), Stall: 300 * time.Millisecond, HeapDumps: true, Evidence: folder,
	}, unary(func(s *plan.Spec) { s.Stack, s.WarmupNs, s.DurationNs = "faulty", 0, int64(1200*time.Millisecond) }))
	if e.Status != result.StatusOK || e.Stalled == nil || e.Stalled.Phase != result.PhaseMeasured || e.Warnings != nil {
		t.Fatalf("%s %q, stalled %+v, warnings %q", e.Status, e.Failure, e.Stalled, e.Warnings)
	}
	if d := time.Duration(e.Stalled.DurationNs); d < 500*time.Millisecond || d > 1200*time.Millisecond {
		t.Errorf("stalled for %v, where the calls hung for 700 ms", d)
	}
	if last := e.Intervals[len(e.Intervals)-1]; e.Arrivals < 200 || last.EndNs < int64(1200*time.Millisecond) {
		t.Errorf("%d arrivals until %v: the trial did not go on", e.Arrivals, time.Duration(last.EndNs))
	}
	files := contents(t, folder)
	want := []string{"t1-server-threads.txt", "t1-server-heap.pprof", "t1-client-threads.txt", "t1-client-heap.pprof"}
	if !slices.Equal(e.Evidence, want) || len(files) != len(want) {
		t.Errorf("evidence %q, %d files", e.Evidence, len(files))
	}
	if !strings.Contains(files["t1-client-threads.txt"], "faultyCaller") {
		t.Error("the client's dump does not say where it hangs")
	}
}

func TestASideThatCannotDumpIsNoted(t *testing.T) {
	t.Parallel()
	good := launch("good", nil)
	stopping := func(ctx context.Context, w driver.Worker) (*control.Process, error) {
		p, err := good(ctx, w)
		if err == nil && w.Stack == "tcp" {
			time.AfterFunc(400*time.Millisecond, func() { _ = syscall.Kill(p.PID(), syscall.SIGSTOP) })
			time.AfterFunc(2*time.Second, func() { _ = syscall.Kill(p.PID(), syscall.SIGCONT) })
		}
		return p, err
	}
	e := evidence(t, driver.Config{
		Launch: stopping, Stall: 200 * time.Millisecond, Silence: time.Second, Evidence: t.TempDir(),
	}, unary(func(s *plan.Spec) { s.Stack, s.DurationNs = "faulty", int64(2200*time.Millisecond) }))
	want := []string{"no whole dump of the server: the worker did not answer: 1s have passed"}
	if e.Status != result.StatusOK || e.Stalled == nil || !slices.Equal(e.Warnings, want) {
		t.Errorf("%s %q, stalled %v, warnings %q", e.Status, e.Failure, e.Stalled, e.Warnings)
	}
	if !slices.Equal(e.Evidence, []string{"t1-client-threads.txt"}) {
		t.Errorf("evidence %q", e.Evidence)
	}
}
