//go:build !linux

package host

// Usage is unknown here.
func (t *Tree) Usage() (Usage, bool) { return Usage{}, false }

// Sockets is unknown here.
func (t *Tree) Sockets() int64 { return 0 }

// ListensTCP is unknown here.
func (t *Tree) ListensTCP(int) bool { return false }

// ListensUnix is unknown here.
func (t *Tree) ListensUnix() bool { return false }
