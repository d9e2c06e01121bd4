//go:build !linux

package host

// Usage is unknown here.
func (t *Tree) Usage() (Usage, bool) { return Usage{}, false }
