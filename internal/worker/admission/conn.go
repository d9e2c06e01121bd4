package admission

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// looks is the number of checks after which a connection counts as idle.
const looks = 4

// A conn notes that bytes have moved, which costs a read or a write no look at a clock.
type conn struct {
	net.Conn

	from  *listener
	moved atomic.Bool
	close sync.Once

	mu    sync.Mutex
	quiet int         // looks at which nothing had moved
	timer *time.Timer // of the next look; nil without a limit and once closed
}

// watch begins to look.
func (c *conn) watch(idle time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer = time.AfterFunc(idle/looks, func() { c.look(idle / looks) })
}

func (c *conn) look(gap time.Duration) {
	if c.isIdle() {
		_ = c.Close() // the reader and the writer are told
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Reset(gap)
	}
}

func (c *conn) isIdle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved.Swap(false) {
		c.quiet = 0
	} else {
		c.quiet++
	}
	return c.quiet == looks
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.note(n)
	return n, err
}

// Write implements net.Conn.
func (c *conn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.note(n)
	return n, err
}

func (c *conn) note(bytes int) {
	if bytes > 0 && !c.moved.Load() {
		c.moved.Store(true)
	}
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.close.Do(func() {
		c.from.open.Add(-1)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.timer != nil {
			c.timer.Stop()
			c.timer = nil
		}
	})
	return c.Conn.Close()
}

// SyscallConn implements syscall.Conn, for a library that sets options of the socket.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	if raw, ok := c.Conn.(syscall.Conn); ok {
		return raw.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}
