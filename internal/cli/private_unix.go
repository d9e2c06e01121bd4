//go:build unix

package cli

import "syscall"

// keepPrivate has this process make files and sockets that only its user can use.
func keepPrivate() { syscall.Umask(0o077) }
