package recipe

import "fmt"

// try opens the recipe and, if calls have rows, makes the requests of all of them: a value that does not fit is known before
// anything is sent.
func (r Recipe) try(open func(Recipe) (*Call, error)) error {
	r.Sample = false // so that call i has row i
	call, err := open(r)
	if err != nil || call.Rows == nil || !call.Rows.Used() {
		return err
	}
	var buffer []byte
	for row := range call.Rows.Count() {
		if buffer, err = call.appendAll(buffer[:0], uint64(row)); err != nil {
			return fmt.Errorf("%s, row %d: %w", r.Rows.Name, row+1, err)
		}
	}
	return nil
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
