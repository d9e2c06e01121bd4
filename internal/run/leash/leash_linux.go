package leash

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// dieWithParent has the command killed when this process is killed itself.
func dieWithParent(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// adopt has processes whose parents end become children of this one, whatever group or session they are in. A kernel that
// can't do that leaves the group.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// rounds is how often descendants are looked for: each round finds what the last has started before it was killed.
const rounds = 100

// killDescendants kills all processes below this one.
func killDescendants() {
	for range rounds {
		found := descendants()
		if len(found) == 0 {
			return
		}
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone
		}
	}
}

// descendants lists the processes below this one that have not ended.
func descendants() (found []int) {
	all, err := procfs.AllProcs()
	if err != nil {
		return nil
	}
	children := map[int][]procfs.ProcStat{}
	for _, p := range all {
		if stat, err := p.Stat(); err == nil {
			children[stat.PPID] = append(children[stat.PPID], stat)
		}
	}
	for below := children[os.Getpid()]; len(below) > 0; {
		next := below[0]
		below = append(below[1:], children[next.PID]...)
		if next.State != "Z" {
			found = append(found, next.PID)
		}
	}
	return found
}
