// Package loop is an event loop: one goroutine serves many sockets, and no socket has a goroutine of its own.
//
// A reply on a socket with its own goroutine costs a wake-up, two turns through Go's scheduler and two system calls of its
// poller. A Loop asks the kernel once (epoll) for all sockets that are ready, and then visits their Owners one after the other:
// each reads once, and what follows, such as the next request, is written before the next one is visited. Apart from these two
// system calls, a call costs its share of one epoll_wait, which shrinks as more sockets are ready at once.
//
// Nothing here blocks on a peer except Turn, which waits for all of them. A Read takes what is there; a Write takes what the
// kernel accepts.
//
// Loops exist on Linux. Elsewhere New fails, and connections have goroutines of their own.
package loop

import (
	"errors"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// ErrUnsupported is New's error on systems without loops.
var ErrUnsupported = errors.New("this system has no event loop")

// An Owner has a socket on a loop, or something else to do there.
type Owner interface {
	// Ready is called on the loop's goroutine when there may be something to read, or room to write, or after Ask. It must not
	// block.
	Ready()
}

// A Loop serves sockets. Turn is for one goroutine, always the same; the other methods may be called from any.
type Loop struct {
	poller   poller
	sleeping atomic.Bool // Turn waits, or is about to
	asks     atomic.Bool // asked has entries, or Turn is to return

	mu      sync.Mutex
	sockets []*Socket // by their tags; nil is free
	free    []int32   // tags
	asked   []Owner
	turns   bool // Turn was called, and will end the poller
	closed  bool
	ended   bool // the poller is gone

	// Fields of Turn's goroutine.
	events  []event
	ready   []Owner // found and not yet visited, from next on
	next    int
	heard   bool      // what was asked for was heard since the last look
	yielded time.Time // when other goroutines were last let run first
	buffer  []byte
	ahead   []byte
}

// yieldEvery is the interval at which a loop lets other goroutines run first. From a goroutine that has not done so for 10 ms,
// Go's monitor takes the processor at its next system call, and then checks all processors every 20 µs for a millisecond. A loop
// does little but system calls, so the monitor would wake up 2,200 times a second, for 3% of the client's CPU, instead of 300.
const yieldEvery = 5 * time.Millisecond

// maxEvents is the maximum number of sockets that one wait returns.
const maxEvents = 256

// bufferBytes is how much of a socket one read takes.
const bufferBytes = 64 << 10

// New makes a loop. It fails with ErrUnsupported on systems that have none.
func New() (*Loop, error) {
	p, err := newPoller()
	if err != nil {
		return nil, err
	}
	return with(p), nil
}

func with(p poller) *Loop {
	return &Loop{
		poller: p, events: make([]event, maxEvents), buffer: make([]byte, bufferBytes), ahead: make([]byte, bufferBytes),
	}
}

// Buffer returns memory to read into, for an Owner within Ready. All Owners share it, so connections with nothing to read
// need no memory.
func (l *Loop) Buffer() []byte { return l.buffer }

// Ask has an Owner's Ready called soon.
func (l *Loop) Ask(o Owner) {
	l.mu.Lock()
	l.asked = append(l.asked, o)
	l.mu.Unlock()
	l.rouse()
}

// rouse has Turn return from its wait.
func (l *Loop) rouse() {
	l.asks.Store(true)
	if !l.sleeping.Swap(false) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.poller.rouse()
	}
}

// Close ends the loop: Turn returns false. Its sockets are for their owners to close.
func (l *Loop) Close() {
	l.mu.Lock()
	l.closed = true
	if !l.turns {
		l.end()
	}
	l.mu.Unlock()
	l.rouse()
}

func (l *Loop) end() {
	if !l.ended {
		l.ended = true
		l.poller.end()
	}
}

// Turn visits one Owner, and waits until there is one. It may return without a visit. It returns false once the loop is closed.
// An Owner that asks again and again keeps no others waiting.
func (l *Loop) Turn() bool {
	if l.next == len(l.ready) && (l.heard || !l.asks.Load()) {
		l.look()
	}
	if l.asks.Load() && !l.hear() {
		return false
	}
	if l.next < len(l.ready) {
		o := l.ready[l.next]
		l.ready[l.next] = nil
		l.next++
		o.Ready()
	}
	return true
}

// look asks for the sockets that are ready, and waits until there are some.
func (l *Loop) look() {
	l.heard = false
	if now := time.Now(); now.Sub(l.yielded) >= yieldEvery {
		l.yielded = now
		runtime.Gosched()
	}
	l.mu.Lock()
	l.turns = true
	closed := l.closed
	l.mu.Unlock()
	if closed {
		l.asks.Store(true)
		return
	}
	l.sleeping.Store(true)
	n := l.poller.wait(l.events, !l.asks.Load()) // a rouse before sleeping was set is seen here
	l.sleeping.Store(false)
	if n == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tidy()
	for _, e := range l.events[:n] {
		if s := l.sockets[e.tag]; s != nil {
			s.happened(e)
			l.ready = append(l.ready, s.owner)
		}
	}
}

// hear takes what was asked for by other goroutines.
func (l *Loop) hear() (goesOn bool) {
	l.asks.Store(false)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		l.end()
		l.asks.Store(true) // for the next Turn
		return false
	}
	l.tidy()
	l.heard = true
	l.ready = append(l.ready, l.asked...)
	clear(l.asked)
	l.asked = l.asked[:0]
	return true
}

// tidy forgets the Owners that were visited.
func (l *Loop) tidy() {
	l.ready = append(l.ready[:0], l.ready[l.next:]...)
	l.next = 0
}

// add gives a socket a tag, and has it watched.
func (l *Loop) add(s *Socket) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return net.ErrClosed
	}
	if n := len(l.free); n > 0 {
		s.tag, l.free = l.free[n-1], l.free[:n-1]
	} else {
		s.tag = int32(len(l.sockets))
		l.sockets = append(l.sockets, nil)
	}
	l.sockets[s.tag] = s
	err := l.poller.watch(s.fd, s.tag)
	if err != nil {
		l.forget(s)
	}
	return err
}

// remove takes a socket's tag back.
func (l *Loop) remove(s *Socket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget(s)
}

func (l *Loop) forget(s *Socket) {
	l.sockets[s.tag] = nil
	l.free = append(l.free, s.tag)
}

// A poller makes a loop's system calls. Its descriptors never block.
type poller interface {
	// watch has wait report the descriptor by its tag, while something can be read, until it is closed.
	watch(fd int, tag int32) error
	// room has wait report it while something can be written, too, or no longer.
	room(fd int, tag int32, wanted bool)
	// wait returns what has happened, at most len(to) events, which is maxEvents. If block is set it waits until something has,
	// or rouse was called; it may return early.
	wait(to []event, block bool) int
	// rouse has wait return, from any goroutine.
	rouse()
	// end closes the poller.
	end()
	read(fd int, b []byte) (int, error)  // 0 and nil is the end
	write(fd int, b []byte) (int, error) // errAgain if nothing can be written now
	close(fd int) error
}

// An event says what has happened to a descriptor.
type event struct {
	tag      int32
	readable bool // or broken, which a read reports
	writable bool
}
