package httpwire

// A state is that of a socket on which nothing is due.
type state uint8

const (
	quiet  state = iota
	spoken       // something came
	ended        // by the server, or broken
)
