package worker

import "rpcbench/internal/stack"

// retries is how many calls were sent once more since it was asked last; nil where a connection does not tell.
func (cl *client) retries() *int64 {
	if len(cl.conns) == 0 {
		return nil // calls open connections of their own
	}
	var all int64
	for _, conn := range cl.conns {
		counts, ok := conn.(stack.Retrier)
		if !ok {
			return nil
		}
		all += counts.Retries()
	}
	since := all - cl.retried
	cl.retried = all
	return &since
}
