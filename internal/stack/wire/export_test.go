package wire

// UseUpIDs has the connection's next stream be its last.
func (c *Client) UseUpIDs() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link.nextID = streamMax - 2*uint32(len(c.link.streams))
}
