package host_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"rpcbench/internal/worker/host"
)

func TestDescribeReadsTheKernel(t *testing.T) {
	t.Parallel()
	m := host.Describe()
	version, err := os.ReadFile("/proc/version")
	if err != nil {
		t.Fatal(err)
	}
	if m.Kernel == "" || !strings.Contains(string(version), m.Kernel) {
		t.Errorf("kernel %q, /proc/version says %q", m.Kernel, version)
	}
	if m.Processors < 1 || m.MemoryBytes < 1<<20 || m.CPU == "" {
		t.Errorf("machine %+v lacks a fact", m)
	}
}

func TestTheMachineHasAllProcessorsThatThisProcessMayUse(t *testing.T) {
	t.Parallel()
	if online := host.Online(); len(online) < runtime.NumCPU() {
		t.Errorf("%v are online, and this process may use %d", online, runtime.NumCPU())
	}
}
