package wire

// A ring is a queue that grows to the most it ever held, and allocates nothing then. The zero value is ready.
type ring[T any] struct {
	all   []T
	first int
	count int
}

func (r *ring[T]) push(one T) {
	if r.count == len(r.all) {
		grown := make([]T, max(4, 2*len(r.all)))
		n := copy(grown, r.all[r.first:])
		copy(grown[n:], r.all[:r.first])
		r.all, r.first = grown, 0
	}
	r.all[(r.first+r.count)&(len(r.all)-1)] = one
	r.count++
}

// at returns element i, counted from the first, 0 ≤ i < count.
func (r *ring[T]) at(i int) *T { return &r.all[(r.first+i)&(len(r.all)-1)] }

// pop takes the first. There is one.
func (r *ring[T]) pop() T {
	var none T
	one := r.all[r.first]
	r.all[r.first] = none
	r.first = (r.first + 1) & (len(r.all) - 1)
	r.count--
	return one
}

func (r *ring[T]) clear() {
	for r.count > 0 {
		r.pop()
	}
}
