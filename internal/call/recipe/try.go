package recipe

import "rpcbench/internal/call/request"

// TriesMax limits the tries of requests and rows together.
const TriesMax = request.RequestsMax

// triedMax limits the bytes of tries: what is behind them is met by the load. A million requests of a kilobyte are within it, and
// JSON of as much is tried within a minute.
const triedMax = 1 << 30

// try opens the recipe and, if calls have rows, makes the requests of all of them: a value that does not fit is known before
// anything is sent. Of several requests each is made with the rows that it meets, as far as TriesMax allows, and every request
// and row at least once, as far as triedMax allows. The call that it returns chooses in turn.
func (r Recipe) try(options request.Options, open func(Recipe, request.Options) (*Call, error)) (*Call, error) {
	trial := request.Trial{On: true}
	defer func() { trial.On, trial.Ahead = false, 0 }()
	sampled := r.Sample
	r.Sample, options.Trial = false, &trial // so that call i has row i, and those that are ahead of it
	call, err := open(r, options)
	if err != nil || call.Rows == nil || !call.Rows.Used() {
		return call, err
	}
	round := call.round()
	tries := round
	if sampled {
		tries = call.pairs()
	}
	var buffer []byte
	for n := range min(tries, TriesMax) {
		if trial.Bytes > triedMax {
			break
		}
		trial.Ahead = n / round
		if buffer, err = call.appendAll(buffer[:0], n%round); err != nil {
			return nil, err
		}
	}
	return call, nil
}

// requests returns the number of requests that may have values of rows.
func (c *Call) requests() int {
	if c.Requests == nil {
		return 1
	}
	return c.Requests.Requests()
}

// pairs returns the number of pairs of a request and a row, all of which meet if they are drawn apart.
func (c *Call) pairs() uint64 { return uint64(c.requests()) * uint64(c.Rows.Count()) }

// round returns the number of calls until requests and rows begin together again, if both are taken in turn. After as many rounds
// as it takes, each with the rows one further ahead, every request has met every row.
func (c *Call) round() uint64 {
	divisor, rest := c.Rows.Count(), c.requests()
	for rest > 0 {
		divisor, rest = rest, divisor%rest
	}
	return c.pairs() / uint64(divisor)
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
