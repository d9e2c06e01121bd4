package stack

import "sync/atomic"

// A Responder holds what the methods of one server answer with. It may be used concurrently.
type Responder struct {
	reply  func(n int) []byte
	store  Store
	limits Limits
	held   atomic.Int64 // bytes that bursts hold
}

// NewResponder makes the Responder of a server.
func NewResponder(config ServeConfig) *Responder {
	return &Responder{reply: config.Reply, store: config.Store, limits: config.Limits}
}

// Payload returns a reply of n bytes to a payload: the payload itself where it is as long. The reply is shared.
func (r *Responder) Payload(asked []byte, n int) []byte {
	if len(asked) == n {
		return asked
	}
	return r.reply(n)
}

// Read returns the value of a key in the server's store, which is shared, and adds its length to that of the values that the same
// message has read. It returns an error where they would be more than the server sends.
func (r *Responder) Read(key uint64, bytes *int64) ([]byte, error) {
	if r.store == nil {
		return nil, errNoStore()
	}
	value, ok := r.store.Get(key)
	if !ok {
		return nil, Errorf(NotFound, "the store has no key %d", key)
	}
	*bytes += int64(len(value))
	return value, r.limits.CheckResponse("the size of the values", 0, *bytes)
}

// Write replaces the value of a key in the server's store.
func (r *Responder) Write(key uint64, value []byte) error {
	if r.store == nil {
		return errNoStore()
	}
	return r.store.Put(key, value)
}

func errNoStore() error { return Errorf(FailedPrecondition, "this server has no store") }

// Check is Limits.CheckResponse.
func (r *Responder) Check(field string, operations int, bytes int64) error {
	return r.limits.CheckResponse(field, operations, bytes)
}

// Hold takes memory for answers that wait. It returns RESOURCE_EXHAUSTED, and takes nothing, where all that wait together
// would be more than the server holds.
func (r *Responder) Hold(bytes int) error {
	if held := r.held.Add(int64(bytes)); r.limits.HeldBytes > 0 && held > r.limits.HeldBytes {
		r.Release(bytes)
		return Errorf(ResourceExhausted, "the server holds at most %d bytes of answers to bursts", r.limits.HeldBytes)
	}
	return nil
}

// Release returns what Hold took.
func (r *Responder) Release(bytes int) { r.held.Add(-int64(bytes)) }
