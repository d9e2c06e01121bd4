package stack

// A queue is a ring that grows to the most it ever held. The zero value is ready.
type queue[T any] struct {
	ring  []T
	first int
	count int
}

func (q *queue[T]) push(one T) {
	if q.count == len(q.ring) {
		grown := make([]T, max(8, 2*len(q.ring)))
		n := copy(grown, q.ring[q.first:])
		copy(grown[n:], q.ring[:q.first])
		q.ring, q.first = grown, 0
	}
	q.ring[(q.first+q.count)%len(q.ring)] = one
	q.count++
}

// front returns the first, nil where there is none.
func (q *queue[T]) front() *T {
	if q.count == 0 {
		return nil
	}
	return &q.ring[q.first]
}

func (q *queue[T]) pop() (one T, ok bool) {
	if q.count == 0 {
		return one, false
	}
	var none T
	one, q.ring[q.first] = q.ring[q.first], none
	q.first = (q.first + 1) % len(q.ring)
	q.count--
	return one, true
}

// clear takes out all, and leaves in memory what is behind pointers.
func (q *queue[T]) clear() { q.first, q.count = 0, 0 }
