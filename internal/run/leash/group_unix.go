//go:build unix

package leash

import "syscall"

// Possible tells whether Run can end what a program has started.
const Possible = true

// killGroup kills the process group of this process, and so this process.
func killGroup() { _ = syscall.Kill(0, syscall.SIGKILL) }
