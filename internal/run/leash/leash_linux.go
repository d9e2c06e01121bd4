package leash

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"

	"rpcbench/internal/worker/host"
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
		found := host.Descendants(os.Getpid())
		if len(found) == 0 {
			return
		}
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone
		}
	}
}
