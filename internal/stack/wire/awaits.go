package wire

import "fmt"

// awaits returns what a call waits for that its server has not even been asked for, or not as a whole; "" if it is the answer.
func (c *Client) awaits(s *slot) string {
	l := s.stream.link
	if l == nil {
		return c.awaitsStream()
	}
	for i := range s.stream.places.Len() {
		if p := s.stream.places.At(i); p.slot == s && p.call == s.call && p.unsent > 0 {
			return l.awaitsWindow(s.stream)
		}
	}
	if s.stream.opened == l.writes && l.writing {
		return unread
	}
	return ""
}

// unread is what calls wait for behind others that could not be written.
const unread = "the server to read what was sent before"

// awaitsStream returns what a call waits for that has no stream.
func (c *Client) awaitsStream() string {
	switch l := c.link; {
	case l == nil || l.leaving:
		return "a connection to the server"
	case l.isFull():
		return unread
	case l.streamsMax == 0:
		return "the server to accept calls: it allows 0 at once on a connection (SETTINGS_MAX_CONCURRENT_STREAMS)"
	default:
		return fmt.Sprintf("a place among the calls that the server accepts at once on a connection, %d", l.streamsMax)
	}
}

// awaitsWindow returns what a call waits for whose messages are not all sent.
func (l *link) awaitsWindow(s *stream) string {
	switch {
	case len(s.rest) == 0:
		return "" // its next message is not due
	case s.window <= 0:
		return "the server to take its request: the stream's flow-control window is used up"
	case l.window <= 0:
		return "the server to take its request: the connection's flow-control window is used up"
	default:
		return unread
	}
}
