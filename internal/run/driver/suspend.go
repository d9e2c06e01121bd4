package driver

import "context"

// A Suspension ends trials when this process is about to be stopped (Ctrl-Z): otherwise the workers would go on and load a
// service unattended.
type Suspension interface {
	// During returns the context of a trial, which also ends when the process is to be stopped. over says that the trial has
	// ended, and reports whether the process is to be stopped now.
	During(ctx context.Context) (trial context.Context, over func() (asked bool))
	// Stop stops the process, and returns when it goes on.
	Stop()
}

// during is Suspension's, where there is one.
func (d *driver) during(ctx context.Context) (trial context.Context, over func() (asked bool)) {
	if d.Suspension == nil {
		return ctx, func() bool { return false }
	}
	return d.Suspension.During(ctx)
}
