package host

// Segments are what TCP sockets have sent and received, by the kernel's TCP_INFO.
type Segments struct {
	Sockets        int64 // whose segments these are: the connections that are open
	Out, In, Again int64 // Again are those of Out that were sent again
}
