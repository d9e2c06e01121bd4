//go:build !linux

package leash

import "os/exec"

// dieWithParent does nothing: only Linux can.
func dieWithParent(*exec.Cmd) {}

// adopt does nothing: only Linux can.
func adopt() {}

// killDescendants does nothing, because processes that left the group are unknown.
func killDescendants() {}
