package loop

import (
	"net"
	"sync"
	"testing"
	"testing/synctest"
)

// A memory is a poller whose descriptors are memory.
type memory struct {
	mu      sync.Mutex
	changed sync.Cond
	ends    []*end
	roused  bool
	over    bool
	reads   int
	waits   int
}

// An end is a descriptor of a socket.
type end struct {
	tag              int32
	watched          bool
	in, out          []byte
	space            int // bytes that out holds
	wanted, finished bool
}

func newMemory() *memory {
	m := &memory{}
	m.changed.L = &m.mu
	return m
}

func (m *memory) change(what func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	what()
	m.changed.Broadcast()
}

func (m *memory) watch(fd int, tag int32) error {
	m.change(func() { m.ends[fd].tag, m.ends[fd].watched = tag, true })
	return nil
}

func (m *memory) room(fd int, _ int32, wanted bool) { m.change(func() { m.ends[fd].wanted = wanted }) }
func (m *memory) rouse()                            { m.change(func() { m.roused = true }) }
func (m *memory) end()                              { m.change(func() { m.over = true }) }

func (m *memory) close(fd int) error {
	m.change(func() { m.ends[fd].watched = false })
	return nil
}

func (m *memory) wait(to []event, block bool) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waits++
	for {
		n := 0
		for _, e := range m.ends {
			happened := event{tag: e.tag, readable: len(e.in) > 0 || e.finished, writable: e.wanted && len(e.out) < e.space}
			if e.watched && (happened.readable || happened.writable) && n < len(to) {
				to[n] = happened
				n++
			}
		}
		if n > 0 || m.roused || !block {
			m.roused = false
			return n
		}
		m.changed.Wait()
	}
}

func (m *memory) read(fd int, b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	e := m.ends[fd]
	if len(e.in) == 0 && !e.finished {
		return 0, errAgain
	}
	n := copy(b, e.in)
	e.in = e.in[n:]
	return n, nil
}

func (m *memory) write(fd int, b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.ends[fd]
	n := min(len(b), e.space-len(e.out))
	if n == 0 {
		return 0, errAgain
	}
	e.out = append(e.out, b[:n]...)
	return n, nil
}

// arrive has bytes arrive.
func (m *memory) arrive(fd int, text string) {
	m.change(func() { m.ends[fd].in = append(m.ends[fd].in, text...) })
}

// finish has the peer end the connection.
func (m *memory) finish(fd int) { m.change(func() { m.ends[fd].finished = true }) }

// empty has the peer read everything that was written.
func (m *memory) empty(fd int) (text string) {
	m.change(func() { text, m.ends[fd].out = string(m.ends[fd].out), nil })
	return text
}

// A reader is an owner that notes what it reads.
type reader struct {
	socket *Socket
	most   int // bytes that it reads at once
	turns  []string
	err    error
}

func (r *reader) Ready() {
	b := make([]byte, r.most)
	n, err := r.socket.Read(b)
	r.turns, r.err = append(r.turns, string(b[:n])), err
}

// A desk is a loop on a memory.
type desk struct {
	*Loop
	memory  *memory
	readers []*reader
}

// newDesk has sockets that hold a number of unread bytes.
func newDesk(t *testing.T, sockets, space int) *desk {
	t.Helper()
	m := newMemory()
	d := &desk{Loop: with(m), memory: m}
	for range sockets {
		r := &reader{most: bufferBytes}
		m.ends = append(m.ends, &end{space: space})
		socket, err := d.adopt(len(m.ends)-1, nowhere{}, r)
		if err != nil {
			t.Fatal(err)
		}
		r.socket = socket
		d.readers = append(d.readers, r)
	}
	return d
}

// nowhere is what a socket was before.
type nowhere struct{ net.Conn }

func (nowhere) LocalAddr() net.Addr  { return &net.UnixAddr{Name: "here", Net: "unix"} }
func (nowhere) RemoteAddr() net.Addr { return &net.UnixAddr{Name: "there", Net: "unix"} }

func virtually(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}
