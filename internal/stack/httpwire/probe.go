package httpwire

// A state is the state of a socket on which nothing is expected.
type state uint8

const (
	quiet  state = iota
	spoken       // something came
	ended        // by the server, or broken
)
