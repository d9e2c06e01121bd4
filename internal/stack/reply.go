package stack

// Replies follows the replies of one Caller's calls: the number and the lengths while a call runs, the bytes of the
// last reply after it. So checking costs the measured time next to nothing, and memory does not grow with messages.
type Replies struct {
	check  func(reply []byte) error
	want   int // replies of a call
	length int // of every reply

	got        int
	wrongAt    int // the first reply of another length, from 1; 0 is none
	wrongBytes int
	last       []byte
	complete   bool
}

// NewReplies follows calls of which each has want replies.
func NewReplies(call Call, want int) Replies {
	return Replies{check: call.Check, want: want, length: call.ResponseBytes}
}

// Begin starts a call.
func (r *Replies) Begin() {
	r.got, r.wrongAt, r.last, r.complete = 0, 0, nil, false
}

// Add counts a reply. The payload is kept until the next Add or Begin.
func (r *Replies) Add(payload []byte) {
	r.got++
	r.last = payload
	if len(payload) != r.length && r.wrongAt == 0 {
		r.wrongAt, r.wrongBytes = r.got, len(payload)
	}
}

// End ends a call that did not fail.
func (r *Replies) End() { r.complete = true }

// Verify is Caller.After: nil after a failed call, MISMATCH after a wrong reply.
func (r *Replies) Verify() error {
	switch {
	case !r.complete:
		return nil
	case r.got != r.want:
		return Errorf(Mismatch, "%d replies came, %d were due", r.got, r.want)
	case r.wrongAt != 0:
		return Errorf(Mismatch, "reply %d has %d bytes, %d were asked for", r.wrongAt, r.wrongBytes, r.length)
	case r.check == nil:
		return nil
	}
	return r.check(r.last)
}
