package wire

// Unread is what calls wait for that are being written, or stand behind others.
const Unread = unread

// UseUpIDs has the connection's next stream be its last.
func (c *Client) UseUpIDs() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link.nextID = streamMax - 2*uint32(len(c.link.streams))
}

// Held is how many bytes lie ready for the server, or are kept until it takes them.
func (c *Client) Held() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return cap(c.link.out) + c.link.gate.Kept()
}

// Hears is how many bytes the connection reads at once. It is for Wait's goroutine, or while no frame comes.
func (c *Client) Hears() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.link.in)
}

// Turn is Wait, and a turn of the loop of a Client that has joined one which serves no other.
func (c *Client) Turn() bool {
	if c.loop == nil {
		return c.Wait()
	}
	c.loop.Turn()
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.closed || c.link != nil || len(c.retired)+c.waiting.Len()+len(c.ends) > 0
}
