package host

// openFiles is unknown: the system has no such limit.
func openFiles() int64 { return 0 }
