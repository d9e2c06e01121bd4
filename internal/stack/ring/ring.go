// Package ring holds a queue in a ring of memory.
package ring

// A Ring is a queue that grows to the most it ever held, and allocates nothing then. The zero value is empty and ready. It
// is for one goroutine at a time.
type Ring[T any] struct {
	all   []T // as many as a power of two
	first int
	count int
}

// Over returns one that uses memory, whose length is a power of two, until it must grow.
func Over[T any](memory []T) Ring[T] { return Ring[T]{all: memory} }

// Len returns the number of elements.
func (r *Ring[T]) Len() int { return r.count }

// Push adds one behind the last.
func (r *Ring[T]) Push(one T) {
	if r.count == len(r.all) {
		r.grow()
	}
	*r.At(r.count) = one
	r.count++
}

func (r *Ring[T]) grow() {
	grown := make([]T, max(4, 2*len(r.all)))
	n := copy(grown, r.all[r.first:])
	copy(grown[n:], r.all[:r.first])
	r.all, r.first = grown, 0
}

// At returns element i, counted from the first, 0 ≤ i < Len. It is the ring's until the next Push.
func (r *Ring[T]) At(i int) *T { return &r.all[(r.first+i)&(len(r.all)-1)] }

// Pop removes and returns the first element, which must exist, and drops what it refers to.
func (r *Ring[T]) Pop() T {
	var none T
	first := r.At(0)
	one := *first
	*first = none
	r.first = (r.first + 1) & (len(r.all) - 1)
	r.count--
	return one
}

// Clear removes all elements, and drops what they refer to.
func (r *Ring[T]) Clear() {
	end := r.first + r.count
	clear(r.all[r.first:min(end, len(r.all))])
	clear(r.all[:max(0, end-len(r.all))])
	r.first, r.count = 0, 0
}
