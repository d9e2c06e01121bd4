package host_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/worker/host"
)

func TestParseCPUs(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]int{"0": {0}, "0-1,3": {0, 1, 3}, "3, 1,1": {1, 3}} {
		got, err := host.ParseCPUs(list)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("ParseCPUs(%q) = %v, %v; want %v", list, got, err, want)
		}
	}
	for _, list := range []string{"", "a", "1-", "2-1", "-1", "0,,1", "1024", "+1", "1-99999999999999999999"} {
		if got, err := host.ParseCPUs(list); err == nil {
			t.Errorf("ParseCPUs(%q) = %v, want an error", list, got)
		}
	}
}

// A container that has some of a machine's processors need not have the first.
func TestAChildRunsOnTheProcessorsGiven(t *testing.T) {
	t.Parallel()
	may := func(start func(*exec.Cmd) error) []int {
		var out strings.Builder
		command := exec.Command("grep", "Cpus_allowed_list", "/proc/self/status")
		command.Stdout = &out
		if err := start(command); err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(out.String(), ":")
		cpus, err := host.ParseCPUs(strings.TrimSpace(list))
		if err != nil {
			t.Fatal(err)
		}
		return cpus
	}
	all := may((*exec.Cmd).Start)
	for _, want := range [][]int{all[:1], all[len(all)-1:]} {
		if got := may(func(c *exec.Cmd) error { return host.StartOn(c, want) }); !slices.Equal(got, want) {
			t.Errorf("the child may run on %v, want %v", got, want)
		}
	}
}

func TestProcessorsThatAreNotThereAreAnError(t *testing.T) {
	t.Parallel()
	for _, cpu := range []int{1023, host.ProcessorsMax, -1} {
		name := fmt.Sprint(cpu)
		if err := host.StartOn(exec.Command("true"), []int{cpu}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one that names processor %s", err, name)
		}
	}
}

// The kernel's own ticks are 10 ms, as in /proc/self/stat.
func TestCPUTimeIsFinerThanATick(t *testing.T) {
	t.Parallel()
	used := func() time.Duration {
		usage := host.Self()
		return usage.CPUUser + usage.CPUSystem
	}
	begun := used()
	for before := begun; ; {
		now := used()
		if now > before && now-before < 10*time.Millisecond {
			return
		}
		if now-begun > 20*time.Second {
			t.Fatalf("no step below 10 ms in %v of CPU time", now-begun)
		}
		before = now
	}
}

func TestUsageGrows(t *testing.T) {
	t.Parallel()
	before := host.Self()
	held := make([]byte, 64<<20)
	for i := range held {
		held[i] = byte(i)
	}
	after := host.Self()
	if after.CPUUser+after.CPUSystem <= before.CPUUser+before.CPUSystem {
		t.Errorf("CPU %v before, %v after writing 64 MiB", before, after)
	}
	if after.VoluntarySwitches < before.VoluntarySwitches || after.VoluntarySwitches == 0 ||
		after.InvoluntarySwitches < before.InvoluntarySwitches {
		t.Errorf("context switches went from %+v to %+v", before, after)
	}
	if after.PeakMemoryBytes < 64<<20 {
		t.Errorf("peak memory %d bytes with 64 MiB held", after.PeakMemoryBytes)
	}
}
