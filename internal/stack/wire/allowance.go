package wire

// An allowance counts the DATA that a server may send: the window that it was given, for a stream or for all together. A
// WINDOW_UPDATE counts from when it is written, not from when it is prepared: before that the server can't know of it.
type allowance struct {
	left  int64  // that the server may know of; below 0 it has sent what it must not
	given int64  // more, not written before
	write uint64 // this one, of link.writes
}

// take takes received bytes off, and reports whether the server was allowed to send them. writes is the number of writes begun.
func (a *allowance) take(bytes int64, writes uint64) bool {
	if a.given > 0 && writes > a.write {
		a.left, a.given = a.left+a.given, 0
	}
	a.left -= bytes
	return a.left >= 0
}

// give lets the server send more, from the next write on. writes is the number of writes begun.
func (a *allowance) give(bytes int64, writes uint64) {
	a.given, a.write = a.given+bytes, writes
}
