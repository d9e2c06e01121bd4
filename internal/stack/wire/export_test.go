package wire

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
	c.link.gate.mu.Lock()
	defer c.link.gate.mu.Unlock()
	return cap(c.link.out) + cap(c.link.gate.kept)
}

// Hears is how many bytes the connection reads at once. It is for Wait's goroutine, or while no frame comes.
func (c *Client) Hears() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.link.in)
}
