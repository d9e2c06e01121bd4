package recipe

import "rpcbench/internal/call/request"

// try opens the recipe and, if calls have rows, makes the requests of all of them: a value that does not fit is known before
// anything is sent. Of several requests each is made with the rows that it meets. The call that it returns chooses in turn.
func (r Recipe) try(open func(Recipe) (*Call, error)) (*Call, error) {
	r.Sample = false // so that call i has row i
	call, err := open(r)
	if err != nil || call.Rows == nil || !call.Rows.Used() {
		return call, err
	}
	var buffer []byte
	for n := range call.tries() {
		if buffer, err = call.appendAll(buffer[:0], n); err != nil {
			return nil, err
		}
	}
	return call, nil
}

// tries returns the number of calls until requests and rows begin together again. It is limited, but never below the number
// of rows.
func (c *Call) tries() uint64 {
	rows := c.Rows.Count()
	if c.Requests == nil {
		return uint64(rows)
	}
	divisor, rest := rows, c.Requests.Requests()
	for rest > 0 {
		divisor, rest = rest, divisor%rest
	}
	return min(uint64(rows/divisor)*uint64(c.Requests.Requests()), request.RequestsMax)
}

// appendAll appends what the call sends: its metadata, and each message of a gRPC request.
func (c *Call) appendAll(dst []byte, call uint64) (_ []byte, err error) {
	for _, m := range c.Metadata {
		if dst, err = m.Append(dst, call); err != nil {
			return dst, err
		}
	}
	if c.Requests == nil {
		return dst, nil
	}
	for number := range c.Requests.Messages(call) {
		if dst, err = c.Requests.Append(dst, call, number); err != nil {
			return dst, err
		}
	}
	return dst, nil
}
