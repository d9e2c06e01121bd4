package archive

// Before has each step of Add told before it is taken, and sync's: an error is a crash there.
func (d *Dir) Before(told func(step string) error) { d.before = told }
