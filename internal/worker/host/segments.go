package host

// Segments counts the segments of a process's open TCP connections, by the kernel's TCP_INFO.
type Segments struct {
	Sockets        int64 // open connections
	Out, In, Again int64 // sent, received, and retransmitted, which are part of those sent
}
