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

// adopt makes processes whose parents end children of this process, whatever their group or session. A kernel without this
// feature leaves only the group.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// rounds is how often descendants are searched for: each round finds what the previous one started before it was killed.
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
