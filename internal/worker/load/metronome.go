package load

import (
	"container/heap"
	"runtime"
	"sync"
	"time"
)

// exact is how long before a due time a Metronome switches from Go's timers, which are up to 1 ms late, to its Waiter, which
// can't be interrupted.
const exact = 2 * time.Millisecond

// A Metronome wakes senders when something within their calls is due, such as the next message of a stream. One goroutine waits
// for all of them. It may be used concurrently.
type Metronome struct {
	now    func() time.Duration
	waiter Waiter
	sooner chan struct{} // holds one: another beat is the first
	closed chan struct{}
	ended  chan struct{}

	mu    sync.Mutex
	beats beats
}

// A beat is the wake-up that one sender waits for.
type beat struct {
	at    time.Duration
	wake  func()
	place int // in beats; −1 is in none
}

// NewMetronome starts one, by a monotonic clock. It has the Waiter to itself until it is closed.
func NewMetronome(now func() time.Duration, waiter Waiter) *Metronome {
	m := &Metronome{
		now: now, waiter: waiter, sooner: make(chan struct{}, 1), closed: make(chan struct{}), ended: make(chan struct{}),
	}
	go m.run()
	return m
}

// Beat returns a function that requests a wake-up at a time of the clock. A new request before it has come replaces it. wake must
// not block, because all others wait for it; it may request again.
func (m *Metronome) Beat(wake func()) (ask func(at time.Duration)) {
	b := &beat{wake: wake, place: -1}
	return func(at time.Duration) {
		m.mu.Lock()
		b.at = at
		if b.place < 0 {
			heap.Push(&m.beats, b)
		} else {
			heap.Fix(&m.beats, b.place)
		}
		first := b.place == 0
		m.mu.Unlock()
		if first {
			m.rouse()
		}
	}
}

// Close ends the metronome. It wakes no senders afterwards.
func (m *Metronome) Close() {
	close(m.closed)
	<-m.ended
}

func (m *Metronome) rouse() {
	select {
	case m.sooner <- struct{}{}:
	default:
	}
}

func (m *Metronome) run() {
	defer close(m.ended)
	timer := time.NewTimer(forever)
	defer timer.Stop()
	for {
		switch early := m.early(); {
		case early <= 0:
			m.wakeDue()
		case early <= exact:
			m.waiter.Wait(early)
		default:
			timer.Reset(early - exact)
			select {
			case <-timer.C:
			case <-m.sooner:
			case <-m.closed:
			}
		}
		select {
		case <-m.closed:
			return
		default:
		}
	}
}

// early returns the time until the first beat.
func (m *Metronome) early() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.beats) == 0 {
		return forever
	}
	return m.beats[0].at - m.now()
}

// wakeDue wakes all whose time has come.
func (m *Metronome) wakeDue() {
	now := m.now()
	for {
		m.mu.Lock()
		if len(m.beats) == 0 || m.beats[0].at > now {
			m.mu.Unlock()
			break
		}
		b := heap.Pop(&m.beats).(*beat)
		m.mu.Unlock()
		b.wake()
	}
	runtime.Gosched() // who was woken goes on here and now, as with the pacer
}

// beats are a heap: the first is due first.
type beats []*beat

// Len implements heap.Interface.
func (b *beats) Len() int { return len(*b) }

// Less implements heap.Interface.
func (b *beats) Less(i, j int) bool { return (*b)[i].at < (*b)[j].at }

// Swap implements heap.Interface.
func (b *beats) Swap(i, j int) {
	all := *b
	all[i], all[j] = all[j], all[i]
	all[i].place, all[j].place = i, j
}

// Push implements heap.Interface.
func (b *beats) Push(x any) {
	one := x.(*beat)
	one.place = len(*b)
	*b = append(*b, one)
}

// Pop implements heap.Interface.
func (b *beats) Pop() any {
	last := len(*b) - 1
	one := (*b)[last]
	one.place = -1
	(*b)[last] = nil
	*b = (*b)[:last]
	return one
}
