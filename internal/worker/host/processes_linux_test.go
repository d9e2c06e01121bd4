package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A machine is the simulated processes of a test.
type machine map[int]struct {
	name          string
	parent, start int
	cpu           time.Duration
	childrenTicks int
}

func (m machine) read(t *testing.T) Processes {
	t.Helper()
	lines := map[string]string{"uptime": "1 2"}
	for pid, p := range m {
		lines[fmt.Sprintf("%d/stat", pid)] = fmt.Sprintf("%d (%s) S %d 1 1 0 -1 4 0 0 0 0 700 900 %d %d 20 0 1 0 %d %s",
			pid, p.name, p.parent, p.childrenTicks, p.childrenTicks, p.start, rest)
	}
	processes, known := readProcesses(mount(t, lines), func(pid int) (time.Duration, bool) { p, ok := m[pid]; return p.cpu, ok })
	if !known {
		t.Fatal("the processes are not known")
	}
	return processes
}

// rest is the remainder of a stat line.
const rest = "0 0 1 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0"

// mount makes a folder of files like the kernel's.
func mount(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// whole makes a machine that has the kernel's threads too.
func whole(m machine) machine {
	m[2] = machine{2: {name: "kthreadd"}}[2]
	return m
}

func TestProcessesAreAddedUp(t *testing.T) {
	t.Parallel()
	const s = time.Second
	cases := map[string]struct {
		before, after machine
		want          time.Duration
	}{
		"one runs, one waits": {
			machine{7: {"a", 1, 10, 3 * s, 5}, 8: {"b", 1, 10, 9 * s, 0}},
			machine{7: {"a", 1, 10, 5 * s, 5}, 8: {"b", 1, 10, 9 * s, 0}}, 2 * s},
		"a name like a line of its own": {
			machine{7: {"x) S 2 (y", 1, 10, 0, 0}}, machine{7: {"x) S 2 (y", 1, 10, s, 0}}, s},
		"one begins": {machine{}, machine{7: {"a", 1, 10, 5 * s, 0}}, 5 * s},
		"one ends, and its parent waits for it": {
			machine{7: {"sh", 1, 10, 3 * s, 0}, 8: {"cc", 7, 10, 4 * s, 0}},
			machine{7: {"sh", 1, 10, 3 * s, 300}}, 2 * s},
		"one begins and ends": {
			machine{7: {"sh", 1, 10, 3 * s, 0}}, machine{7: {"sh", 1, 10, 3 * s, 50}}, s},
		"a thread of the kernel ends": {
			machine{7: {"a", 1, 10, 3 * s, 0}, 9: {"kworker/0:1", 2, 10, 100 * s, 0}},
			machine{7: {"a", 1, 10, 4 * s, 0}}, s},
		"its PID is given to another": {
			machine{7: {"kworker/0:1", 2, 10, 100 * s, 0}}, machine{7: {"a", 1, 20, s, 0}}, s},
		"nobody waits for one": {
			machine{7: {"a", 1, 10, 3 * s, 0}, 8: {"b", 7, 10, 10 * s, 0}}, machine{7: {"a", 1, 10, 4 * s, 0}}, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := whole(c.before).read(t), whole(c.after).read(t)
			if got := after.Since(before); got != c.want {
				t.Errorf("used %v, want %v", got, c.want)
			}
		})
	}
}

// In a container the host's processes can't be seen.
func TestProcessesOfAContainerAreNotTheMachines(t *testing.T) {
	t.Parallel()
	used := func(int) (time.Duration, bool) { return time.Second, true }
	for name, line := range map[string]string{
		"a program of that name": "2 (kthreadd) S 1 1 1 0 -1 4 0 0 0 0 1 1 1 1 20 0 1 0 5 " + rest,
		"another":                "2 (sh) S 0 1 1 0 -1 4 0 0 0 0 1 1 1 1 20 0 1 0 5 " + rest,
		"no name":                "2 kthreadd",
	} {
		if _, known := readProcesses(mount(t, map[string]string{"2/stat": line}), used); known {
			t.Errorf("%s: known", name)
		}
	}
	if _, known := readProcesses(mount(t, map[string]string{"1/stat": ""}), used); known {
		t.Error("no process 2: known")
	}
}

// The clock of any process can be read, and of none that is gone.
func TestTheClockOfAProcess(t *testing.T) {
	t.Parallel()
	before, known := processCPU(os.Getpid())
	if !known {
		t.Fatal("this process's is not known")
	}
	for now := before; now <= before; { // one that stays is a hang
		now, _ = processCPU(os.Getpid())
	}
	child := exec.Command("true")
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	if cpu, known := processCPU(child.Process.Pid); known {
		t.Errorf("a process that has ended used %v", cpu)
	}
}
