package relay

// A queue holds segments in their order.
type queue struct {
	segments []segment
	head     int
}

func (q *queue) length() int { return len(q.segments) - q.head }

func (q *queue) first() *segment { return &q.segments[q.head] }

func (q *queue) push(s segment) {
	if len(q.segments) == cap(q.segments) && q.head > len(q.segments)/2 {
		kept := copy(q.segments, q.segments[q.head:])
		clear(q.segments[kept:])
		q.segments, q.head = q.segments[:kept], 0
	}
	q.segments = append(q.segments, s)
}

func (q *queue) pop() segment {
	s := q.segments[q.head]
	q.segments[q.head] = segment{}
	if q.head++; q.head == len(q.segments) {
		q.segments, q.head = q.segments[:0], 0
	}
	return s
}

// A schedule is a heap of pipes by when their first segment is due; container/heap keeps it.
type schedule []*pipe

func (s *schedule) Len() int           { return len(*s) }
func (s *schedule) Less(i, j int) bool { return (*s)[i].due < (*s)[j].due }
func (s *schedule) Swap(i, j int)      { (*s)[i], (*s)[j] = (*s)[j], (*s)[i] }
func (s *schedule) Push(p any)         { *s = append(*s, p.(*pipe)) }

func (s *schedule) Pop() any {
	last := len(*s) - 1
	p := (*s)[last]
	(*s)[last] = nil
	*s = (*s)[:last]
	return p
}
