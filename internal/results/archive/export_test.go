package archive

import "context"

// Before has each step of Add told before it is taken, and sync's: an error is a crash there.
func (d *Dir) Before(told func(step string) error) { d.before = told }

// Locked is what a writer does before it writes.
func (d *Dir) Locked(ctx context.Context) (unlock func(), err error) { return d.locked(ctx) }
